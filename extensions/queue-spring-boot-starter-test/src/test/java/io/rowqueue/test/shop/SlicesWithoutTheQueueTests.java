package io.rowqueue.test.shop;

import java.util.concurrent.Callable;

import io.rowqueue.JobQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/** A test whose slice has a bean that enqueues jobs, and no queue. */
@ExtendWith(OutputCaptureExtension.class)
class SlicesWithoutTheQueueTests {

	@Test
	void theMessageNamesTheAnnotationThatBringsOne(CapturedOutput output) {
		start(NeedsTheQueue.class);
		assertThat(output).contains("A bean needs a io.rowqueue.JobQueue", "@RecordJobs", "@QueueTest")
			.doesNotContain("Consider defining a bean");
	}

	@Test
	void otherMissingBeansAreNoConcernOfTheQueue(CapturedOutput output) {
		start(NeedsAnother.class);
		assertThat(output).contains("Consider defining a bean").doesNotContain("@RecordJobs");
	}

	private static void start(Class<?> needing) {
		assertThatException()
			.isThrownBy(() -> new SpringApplicationBuilder(needing).web(WebApplicationType.NONE).run());
	}

	record NeedsTheQueue(JobQueue queue) {

	}

	record NeedsAnother(Callable<?> other) {

	}

}
