package io.pgqueue.engine.enqueue;

import java.time.Duration;
import java.util.Optional;

import io.pgqueue.Job;
import io.pgqueue.JobQueueException;
import io.pgqueue.engine.job.JobStore;
import io.pgqueue.engine.support.Times;
import io.pgqueue.engine.wakeup.JobEndings;
import io.pgqueue.engine.wakeup.JobEndings.Waiter;

/**
 * Waits for jobs to be over. It reads what is committed, whatever transaction the caller
 * is in: one of {@code REPEATABLE READ} would never see the job's end.
 */
final class AwaitedJobs {

	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(10);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

	/** As good as for ever, and still a number of nanoseconds. */
	private static final Duration LONGEST_WAIT = Duration.ofDays(36_500);

	private final JobStore store;

	private final CallerTransaction transaction;

	private final JobEndings endings;

	AwaitedJobs(JobStore store, CallerTransaction transaction, JobEndings endings) {
		this.store = store;
		this.transaction = transaction;
		this.endings = endings;
	}

	Optional<Job> await(long id, Duration timeout) throws InterruptedException {
		long begin = System.nanoTime();
		long nanos = Times.shorter(timeout, LONGEST_WAIT).toNanos();
		try (Waiter waiter = this.endings.expect(id)) {
			Optional<Job> job = committed(id);
			if (job.isEmpty()) {
				refuseIfUncommitted(id);
			}
			Duration pause = SHORTEST_PAUSE;
			while (job.isPresent() && !job.get().state().isFinished()) {
				long left = nanos - (System.nanoTime() - begin);
				if (left <= 0) {
					return job;
				}
				waiter.await(Times.shorter(pause, Duration.ofNanos(left)));
				pause = Times.shorter(pause.multipliedBy(2), LONGEST_PAUSE);
				job = committed(id);
			}
			return job;
		}
	}

	/** The workers' few connections are for the rare case that needs them. */
	private Optional<Job> committed(long id) {
		return this.transaction.isActive() ? this.store.findCommitted(id) : this.store.find(id);
	}

	private void refuseIfUncommitted(long id) {
		if (this.transaction.isActive() && this.store.find(id).isPresent() && this.store.findCommitted(id).isEmpty()) {
			throw new JobQueueException(("Job %d was enqueued by this transaction, and no worker can run it before that"
					+ " commits. Await it after the commit")
				.formatted(id));
		}
	}

}
