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

	private final WorkerHooks hooks;

	JobRunner(HandlerCall handler, Judge judge, WorkerHooks hooks) {
		this.handler = handler;
		this.judge = judge;
		this.hooks = hooks;
	}

	/**
	 * Returns what to write down; nothing if that is done, or if the job is another
	 * worker's by now.
	 */
	Optional<Outcome> run(ActiveJob job) {
		if (job.job().cancelRequested() || job.stopReason() == StopReason.CANCELLED) {
			logger.info("{} was cancelled before it began", job);
			this.judge.cancelled(job);
			return Optional.of(new Cancelled(job));
		}
		job.begin();
		try {
			this.hooks.listener().started(job, job.since(job.runAt()));
			Optional<Outcome> outcome = this.hooks.around(job, () -> this.handler.run(job));
			logger.debug("{} succeeded", job);
			if (!job.conclude()) {
				return Optional.empty();
			}
			this.judge.succeeded(job);
			return outcome;
		}
		catch (Throwable ex) { // whatever it was, the slot lives on and the job knows
			return job.conclude() ? this.judge.judge(job, ex) : Optional.empty();
		}
		finally {
			job.end();
		}
	}

}
