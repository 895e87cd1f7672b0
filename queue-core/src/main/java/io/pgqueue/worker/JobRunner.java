package io.pgqueue.worker;

import java.util.Optional;
import java.util.concurrent.TimeoutException;

import io.pgqueue.handler.HandlerRegistry;
import io.pgqueue.worker.ActiveJob.StopReason;
import io.pgqueue.worker.Outcome.Cancelled;
import io.pgqueue.worker.Outcome.Succeeded;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a job's handler in the calling thread and tells how it ended. */
final class JobRunner {

	private static final Logger logger = LoggerFactory.getLogger(JobRunner.class);

	private final HandlerRegistry handlers;

	private final Judge judge;

	JobRunner(HandlerRegistry handlers, Judge judge) {
		this.handlers = handlers;
		this.judge = judge;
	}

	/** Returns what to write down; nothing if the job is another worker's by now. */
	Optional<Outcome> run(ActiveJob job) {
		if (job.job().cancelRequested() || job.stopReason() == StopReason.CANCELLED) {
			logger.info("{} was cancelled before it began", job);
			return Optional.of(new Cancelled(job));
		}
		job.begin();
		try {
			this.handlers.find(job.type())
				.orElseThrow(() -> new IllegalStateException("no handler for the type '" + job.type() + "'"))
				.run(job.job().payload(), job);
			return returned(job);
		}
		catch (Throwable ex) { // whatever it was, the slot lives on and the job knows
			return job.conclude() ? this.judge.judge(job, ex) : Optional.empty();
		}
		finally {
			job.end();
		}
	}

	/** One that timed out may have swallowed the interrupt, its work half done. */
	private Optional<Outcome> returned(ActiveJob job) {
		if (!job.conclude()) {
			return Optional.empty();
		}
		TimeoutException timeout = job.timeout();
		if (timeout != null) {
			return this.judge.judge(job, timeout);
		}
		logger.debug("{} succeeded", job);
		return Optional.of(new Succeeded(job));
	}

}
