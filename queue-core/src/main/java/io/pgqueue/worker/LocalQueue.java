package io.pgqueue.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.pgqueue.store.ClaimedJob;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that a pool holds: those that wait for a slot, the most urgent first, and
 * those that run. One lock covers both, so that what is held is always known exactly.
 */
final class LocalQueue {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Condition idle = this.lock.newCondition();

	private final PriorityQueue<ActiveJob> waiting = new PriorityQueue<>(
			Comparator.comparing(ActiveJob::job, ClaimedJob.MOST_URGENT_FIRST));

	private final Set<ActiveJob> running = new LinkedHashSet<>();

	private boolean closed;

	/** Adds jobs to wait; returns false, and takes none, if the queue is closed. */
	boolean add(Collection<ActiveJob> jobs) {
		return locked(() -> {
			if (this.closed) {
				return false;
			}
			this.waiting.addAll(jobs);
			this.changed.signalAll();
			return true;
		});
	}

	/** Waits for the next job to run; {@code null}: there will be none. */
	@Nullable ActiveJob next() {
		this.lock.lock();
		try {
			while (this.waiting.isEmpty() && !this.closed) {
				this.changed.awaitUninterruptibly();
			}
			ActiveJob job = this.waiting.poll();
			if (job != null) {
				this.running.add(job);
			}
			return job;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** The job runs no more. */
	void done(ActiveJob job) {
		locked(() -> {
			this.running.remove(job);
			if (this.running.isEmpty()) {
				this.idle.signalAll();
			}
			return true;
		});
	}

	/** Takes no more jobs, and returns those that have not started. */
	List<ActiveJob> close() {
		List<ActiveJob> unstarted = new ArrayList<>();
		locked(() -> {
			this.closed = true;
			unstarted.addAll(this.waiting);
			this.waiting.clear();
			this.changed.signalAll();
			return true;
		});
		return unstarted;
	}

	/** Waits until nothing runs; returns whether that came true in time. */
	boolean awaitIdle(Duration timeout) throws InterruptedException {
		this.lock.lock();
		try {
			long nanos = timeout.toNanos();
			while (!this.running.isEmpty() && nanos > 0) {
				nanos = this.idle.awaitNanos(nanos);
			}
			return this.running.isEmpty();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** The jobs that run now. */
	List<ActiveJob> running() {
		List<ActiveJob> jobs = new ArrayList<>();
		locked(() -> jobs.addAll(this.running));
		return jobs;
	}

	/** The jobs that wait or run. */
	List<ActiveJob> held() {
		List<ActiveJob> jobs = new ArrayList<>();
		locked(() -> {
			jobs.addAll(this.waiting);
			return jobs.addAll(this.running);
		});
		return jobs;
	}

	/**
	 * How many more jobs would be held with {@code target}; 0 while too few are missing
	 * to be worth a claim: a claim comes when no job waits, or when half are gone.
	 */
	int room(int target) {
		this.lock.lock();
		try {
			int room = target - this.waiting.size() - this.running.size();
			return (this.waiting.isEmpty() || room >= target / 2) ? Math.max(0, room) : 0;
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean locked(Change change) {
		this.lock.lock();
		try {
			return change.make();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** What is done under the lock. */
	private interface Change {

		boolean make();

	}

}
