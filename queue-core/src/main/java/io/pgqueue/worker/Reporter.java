package io.pgqueue.worker;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.pgqueue.store.JobStore;
import io.pgqueue.store.Lease;
import io.pgqueue.StopReason;

/**
 * Shows which of the worker's jobs run for longer and how far they are, and stops those
 * that are to be cancelled.
 */
final class Reporter {

	private static final Duration INTERVAL = Duration.ofSeconds(1);

	private final JobStore store;

	private final long workerId;

	private final Pools pools;

	private final ProgressWriter progress;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private int requested;

	private volatile int answered;

	private boolean ended;

	Reporter(JobStore store, long workerId, Pools pools) {
		this.store = store;
		this.workerId = workerId;
		this.pools = pools;
		this.progress = new ProgressWriter(store, workerId);
	}

	/**
	 * Tells how often one of the worker's jobs was to be cancelled so far. Returns at
	 * once.
	 */
	void cancelRequests(int requests) {
		this.lock.lock();
		try {
			this.requested = requests;
			if (this.requested != this.answered) {
				this.changed.signalAll();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Waits a second, or until a job is to be cancelled, and reports. */
	void turn() throws InterruptedException {
		int requests = await();
		if (requests != this.answered) {
			cancel();
			this.answered = requests;
		}
		List<ActiveJob> all = this.pools.running();
		this.progress.write(all);
		List<ActiveJob> running = all.stream().filter((job) -> job.isToBeShown(INTERVAL.toNanos())).toList();
		if (!running.isEmpty()) {
			this.store.running(this.workerId, running.stream().map((job) -> job.job().lease()).toList());
			running.forEach(ActiveJob::shown);
		}
	}

	private int await() throws InterruptedException {
		this.lock.lock();
		try {
			long nanos = INTERVAL.toNanos();
			while (nanos > 0 && this.requested == this.answered && !this.ended) {
				nanos = this.changed.awaitNanos(nanos);
			}
			return this.requested;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Lets the thread that waits in {@link #turn()} go. */
	void end() {
		this.lock.lock();
		try {
			this.ended = true;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void cancel() {
		Set<Lease> leases = new HashSet<>(this.store.cancelRequested(this.workerId));
		this.pools.each((pool) -> pool.jobs()
			.held()
			.stream()
			.filter((job) -> leases.contains(job.job().lease()))
			.forEach((job) -> job.interrupt(StopReason.CANCELLED)));
	}

}
