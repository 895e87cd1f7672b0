package io.rowqueue.engine.worker;

import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

import io.rowqueue.JobLogLine;
import io.rowqueue.JobState;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.testing.Administration;
import io.rowqueue.testing.Engine;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What a handler is doing, on request. */
class LoggedStackTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final CountDownLatch runs = new CountDownLatch(1);

	private final CountDownLatch release = new CountDownLatch(1);

	@Test
	void theLogOfARunningJobSaysWhereItsHandlerIsEachTimeThatIsAskedFor() throws InterruptedException {
		this.engine.process().handle("work", (payload, context) -> waitsHere()).startAndListen();
		long job = this.engine.enqueue("work");
		this.runs.await();
		JobAdmin admin = Administration.of(this.engine);
		for (int times = 1; times <= 2; times++) {
			assertThat(admin.logStack(job)).isTrue();
			await().until(() -> admin.log(job).size(), Predicate.isEqual(times));
			assertThat(admin.log(job)).extracting(JobLogLine::text)
				.allMatch((text) -> text.startsWith("What the handler is doing:\n\tat ")
						&& text.contains("LoggedStackTests.waitsHere"));
		}
		this.release.countDown();
		this.engine.awaitState(job, JobState.SUCCEEDED);
		assertThat(admin.logStack(job)).as("nothing runs").isFalse();
	}

	private void waitsHere() throws InterruptedException {
		this.runs.countDown();
		this.release.await();
	}

}
