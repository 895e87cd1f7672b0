package io.pgqueue.autoconfigure.measurement;

import java.time.Duration;
import java.util.List;

import io.pgqueue.JobQueue;
import io.pgqueue.JobRequest;
import io.pgqueue.autoconfigure.Applications;
import io.pgqueue.autoconfigure.TestDatabase;
import io.pgqueue.engine.enqueue.BulkPace;
import io.pgqueue.engine.measure.Figure;
import io.pgqueue.engine.measure.Measurement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** Bulk enqueues are slower while dead rows pile up, if that is asked for. */
@ExtendWith(OutputCaptureExtension.class)
class SlowDownTests {

	private final ApplicationContextRunner application = Applications.on(new TestDatabase())
		.withPropertyValues("pgqueue.worker.enabled=false");

	@Test
	void nothingIsSlowedDownUnlessItIsAskedFor() {
		this.application.run((context) -> assertThat(context).hasNotFailed()
			.doesNotHaveBean(BulkPace.class)
			.doesNotHaveBean(DeadRowsBrake.class));
	}

	@Test
	void bulkEnqueuesWaitWhileDeadRowsPileUpBehindAnOldSnapshot(CapturedOutput output) {
		this.application.withPropertyValues("pgqueue.slow-down.bulk-enqueue=1ms").run((context) -> {
			DeadRowsBrake brake = context.getBean(DeadRowsBrake.class);
			brake.show(pinned(DeadRowsBrake.OLD, DeadRowsBrake.MANY - 1));
			brake.show(pinned(DeadRowsBrake.OLD - 1, DeadRowsBrake.MANY));
			assertThat(output).doesNotContain("Bulk enqueues");
			brake.show(pinned(DeadRowsBrake.OLD, DeadRowsBrake.MANY));
			assertThat(output)
				.contains("Bulk enqueues wait for 1 ms before each 1,000 jobs: a session, process 7 (the nightly"
						+ " report), keeps 250000 dead rows");
			assertThat(context.getBean(JobQueue.class)
				.enqueueAll(java.util.Collections.nCopies(2000, JobRequest.of("bulk")))).hasSize(2000);
			brake.show(pinned(5, DeadRowsBrake.MANY));
			assertThat(output).contains("Bulk enqueues are as fast as before");
		});
	}

	@Test
	void whatIsMeasuredIsToldAlsoToAnApplicationWithoutMetersAndHealth() {
		this.application.withPropertyValues("pgqueue.slow-down.bulk-enqueue=2s")
			.withClassLoader(new FilteredClassLoader("io.micrometer", "org.springframework.boot.health"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(MeasurementLoop.class)
				.hasSingleBean(DeadRowsBrake.class));
	}

	@Test
	void thePauseIsBounded() {
		this.application.withPropertyValues("pgqueue.slow-down.bulk-enqueue=11s")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessage("pgqueue.slow-down.bulk-enqueue must be from 0s to 10s, not PT11S"));
	}

	private static Measurement pinned(long age, long dead) {
		return new Measurement(Duration.ZERO, List.of(new Figure(Figure.DEAD_ROWS, null, null, dead, null),
				new Figure(Figure.HORIZON_AGE, null, "session", age, "process 7 (the nightly report)")));
	}

}
