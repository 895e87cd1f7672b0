package io.rowqueue.engine.enqueue;

import java.time.Duration;
import java.util.Optional;

import io.rowqueue.Job;
import io.rowqueue.JobQueueException;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.engine.support.Times;
import io.rowqueue.engine.wakeup.JobEndings.Waiter;
import io.rowqueue.engine.wakeup.JobEndings;

/**
 * Waits until jobs have finished. It reads what is committed, regardless of the caller's
 * transaction, which would never see the end of the job with {@code REPEATABLE READ}.
 */
final class AwaitedJobs {

	private static final Duration MIN_PAUSE = Duration.ofMillis(10);

	private static final Duration MAX_PAUSE = Duration.ofSeconds(1);

	/** In effect unlimited, and representable in nanoseconds. */
	private static final Duration MAX_WAIT = Duration.ofDays(36_500);

	private final JobStore store;

	private final CallerTransaction transaction;

	private final JobEndings endings;

	private final Carriage carried;

	/**
	 * Creates the wait.
	 * @param carried the jobs that a message broker carries, whose end cannot be awaited
	 */
	AwaitedJobs(JobStore store, CallerTransaction transaction, JobEndings endings, Carriage carried) {
		this.carried = carried;
		this.store = store;
		this.transaction = transaction;
		this.endings = endings;
	}

	Optional<Job> await(long id, Duration timeout) throws InterruptedException {
		long begin = System.nanoTime();
		long nanos = Times.shorter(timeout, MAX_WAIT).toNanos();
		try (Waiter waiter = this.endings.expect(id)) {
			Optional<Job> job = committed(id);
			this.carried.refuseToAwait(id);
			if (job.isEmpty()) {
				refuseIfUncommitted(id);
			}
			Duration pause = MIN_PAUSE;
			while (job.isPresent() && !job.get().state().isFinished()) {
				long left = nanos - (System.nanoTime() - begin);
				if (left <= 0) {
					return job;
				}
				waiter.await(Times.shorter(pause, Duration.ofNanos(left)));
				pause = Times.shorter(pause.multipliedBy(2), MAX_PAUSE);
				job = committed(id);
			}
			return job;
		}
	}

	/**
	 * Uses one of the workers' few connections only if the caller's transaction requires
	 * it.
	 */
	private Optional<Job> committed(long id) {
		return this.transaction.isActive() ? this.store.findCommitted(id) : this.store.find(id);
	}

	private void refuseIfUncommitted(long id) {
		if (this.transaction.isActive() && this.store.find(id).isPresent() && this.store.findCommitted(id).isEmpty()) {
			throw new JobQueueException(
					("Job %s was enqueued by the current transaction, and no worker can run it before"
							+ " the commit. Call await after the commit")
						.formatted(id));
		}
	}

}
