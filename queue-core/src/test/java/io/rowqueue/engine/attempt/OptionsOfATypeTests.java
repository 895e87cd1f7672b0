package io.rowqueue.engine.attempt;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.rowqueue.HandlerOptions;
import io.rowqueue.Job;
import io.rowqueue.JobHandlers.Handler;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.RetryPolicy;
import io.rowqueue.testing.Engine;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a handler can say of how its jobs are tried. */
class OptionsOfATypeTests {

	@AutoClose
	private final Engine engine = new Engine();

	@Test
	void theMaximumAttemptsOfTheJobPrecedeThoseOfTheHandlerAndTheWorker() {
		this.engine.process()
			.maxAttempts(3)
			.handle("own", HandlerOptions.NONE.maxAttempts(2), broken())
			.handle("default", HandlerOptions.NONE, broken())
			.start();
		assertThat(fail(JobRequest.of("default")).attempt()).isEqualTo(3);
		assertThat(fail(JobRequest.of("own")).attempt()).isEqualTo(2);
		assertThat(fail(JobRequest.of("own").maxAttempts(1)).attempt()).isEqualTo(1);
	}

	@Test
	void theRetryPolicyOfATypeIsAskedInsteadOfTheWorkers() {
		List<String> asked = new CopyOnWriteArrayList<>();
		this.engine.process().maxAttempts(2).retry((job, error) -> {
			asked.add("worker's for " + job.type());
			return Duration.ZERO;
		}).handle("own", HandlerOptions.NONE.retry((job, error) -> {
			asked.add("own for attempt %d of %s on %s: %s".formatted(job.attempt(), job.type(), job.queue(),
					error.getMessage()));
			return Duration.ZERO;
		}), broken()).handle("default", broken()).start();
		fail(JobRequest.of("own").queue("mail"));
		assertThat(asked).containsExactly("own for attempt 1 of own on mail: broken");
		fail(JobRequest.of("default"));
		assertThat(asked).last().isEqualTo("worker's for default");
	}

	@Test
	void aPolicyOfDelaysIsKept() {
		this.engine.process()
			.handle("test", HandlerOptions.NONE.retry(RetryPolicy.delays(Duration.ZERO, Duration.ofHours(1))), broken())
			.start();
		Job job = this.engine.awaitState(this.engine.enqueue("test"), JobState.SCHEDULED);
		assertThat(job.attempt()).isEqualTo(2);
		assertThat(Duration.between(job.startedAt(), job.runAt())).isBetween(Duration.ofMinutes(59),
				Duration.ofMinutes(61));
	}

	@Test
	void someExceptionsAreNotToBeRetried() {
		HandlerOptions options = HandlerOptions.NONE.noRetryFor(FileNotFoundException.class,
				IllegalArgumentException.class);
		this.engine.process().maxAttempts(2).handle("named", options, (payload, context) -> {
			throw new FileNotFoundException("gone");
		}).handle("subclass", options, (payload, context) -> {
			throw new NumberFormatException("x");
		}).handle("superclass", options, (payload, context) -> {
			throw new IOException("moved");
		}).handle("cause", options, (payload, context) -> {
			throw new IllegalStateException(new FileNotFoundException("gone"));
		}).start();
		assertThat(fail(JobRequest.of("named")).attempt()).isEqualTo(1);
		assertThat(fail(JobRequest.of("subclass")).attempt()).isEqualTo(1);
		assertThat(fail(JobRequest.of("superclass")).attempt()).isEqualTo(2);
		assertThat(fail(JobRequest.of("cause")).attempt()).as("what it was caused by is no matter").isEqualTo(2);
	}

	private Job fail(JobRequest request) {
		return this.engine.awaitState(this.engine.enqueue(request), JobState.FAILED);
	}

	private static Handler<String> broken() {
		return (payload, context) -> {
			throw new IllegalStateException("broken");
		};
	}

}
