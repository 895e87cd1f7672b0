package io.pgqueue.worker;

import java.util.Optional;

import io.pgqueue.worker.ActiveJob.StopReason;
import io.pgqueue.worker.Outcome.Cancelled;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a job's handler in the calling thread and tells how it ended. */
final class JobRunner {

	private static final Logger logger = LoggerFactory.getLogger(JobRunner.class);

	private final HandlerCall handler;

	private final Judge judge;

	JobRunner(HandlerCall handler, Judge judge) {
		this.handler = handler;
		this.judge = judge;
	}

	/**
	 * Returns what to write down; nothing if that is done, or if the job is another
	 * worker's by now.
	 */
	Optional<Outcome> run(ActiveJob job) {
		if (job.job().cancelRequested() || job.stopReason() == StopReason.CANCELLED) {
			logger.info("{} was cancelled before it began", job);
			return Optional.of(new Cancelled(job));
		}
		job.begin();
		try {
			Optional<Outcome> outcome = this.handler.run(job);
			logger.debug("{} succeeded", job);
			return job.conclude() ? outcome : Optional.empty();
		}
		catch (Throwable ex) { // whatever it was, the slot lives on and the job knows
			return job.conclude() ? this.judge.judge(job, ex) : Optional.empty();
		}
		finally {
			job.end();
		}
	}

}
