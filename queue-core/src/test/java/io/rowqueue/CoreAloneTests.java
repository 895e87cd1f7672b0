package io.rowqueue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.testing.Engine;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** The core without any of the parts around it. */
class CoreAloneTests {

	@AutoClose
	private final Engine engine = new Engine();

	@ParameterizedTest
	@ValueSource(
			strings = { "window.Windows", "schedule.Schedules", "admin.JobAdmin", "engine.measure.MeasurementStore",
					"observation.QueueObservation", "shard.Shards", "transport.JobTransport" })
	void noPartIsOnTheClassPath(String type) {
		assertThat(ClassUtils.isPresent("io.rowqueue." + type, null)).isFalse();
	}

	@Test
	void jobsAreEnqueuedRunControlledAndMaintained() {
		AtomicInteger runs = new AtomicInteger();
		this.engine.process().withMaintenance().handle("letter", (payload, context) -> runs.incrementAndGet()).start();
		long cancelled = this.engine.enqueue(JobRequest.of("letter").delay(Duration.ofDays(1)));
		this.engine.control().cancel(cancelled);
		this.engine.awaitState(this.engine.enqueue("letter"), JobState.SUCCEEDED);
		this.engine.awaitState(cancelled, JobState.CANCELLED);
		assertThat(runs).hasValue(1);
	}

}
