package io.pgqueue.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.pgqueue.store.Lease;

/**
 * Collects what became of the jobs and writes it down, many at once: those that end while
 * a batch is written are the next one. What cannot be written is kept and tried again.
 */
final class Finisher {

	/** The most outcomes of one batch. */
	static final int MOST = 1000;

	/** So many outcomes that wait to be written hold back the next claim. */
	static final int BEHIND = 2 * MOST;

	private final OutcomeWriter writer;

	private final Runnable caughtUp;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Deque<Outcome> waiting = new ArrayDeque<>();

	private List<Outcome> batch = List.of();

	private boolean ended;

	/**
	 * Creates the finisher.
	 * @param writer writes batches
	 * @param caughtUp called when the next claim is no longer held back
	 */
	Finisher(OutcomeWriter writer, Runnable caughtUp) {
		this.writer = writer;
		this.caughtUp = caughtUp;
	}

	void add(Outcome outcome) {
		this.lock.lock();
		try {
			this.waiting.add(outcome);
			if (this.waiting.size() == 1) {
				this.changed.signalAll();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	boolean isBehind() {
		this.lock.lock();
		try {
			return this.waiting.size() >= BEHIND;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** The leases whose outcome is known here and not yet in the database. */
	Set<Lease> unwritten() {
		this.lock.lock();
		try {
			Set<Lease> leases = new HashSet<>();
			this.waiting.forEach((outcome) -> leases.add(outcome.lease()));
			this.batch.forEach((outcome) -> leases.add(outcome.lease()));
			return leases;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Waits for outcomes and writes them; a batch that failed is the next one again. */
	void turn() throws InterruptedException {
		List<Outcome> outcomes = take();
		this.writer.write(outcomes);
		this.lock.lock();
		try {
			boolean wasBehind = this.waiting.size() + outcomes.size() >= BEHIND;
			this.batch = List.of();
			this.changed.signalAll();
			if (wasBehind && this.waiting.size() < BEHIND) {
				this.caughtUp.run();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private List<Outcome> take() throws InterruptedException {
		this.lock.lock();
		try {
			while (this.batch.isEmpty() && this.waiting.isEmpty() && !this.ended) {
				this.changed.await();
			}
			if (this.batch.isEmpty()) {
				List<Outcome> next = new ArrayList<>();
				while (next.size() < MOST && !this.waiting.isEmpty()) {
					next.add(this.waiting.remove());
				}
				this.batch = next;
			}
			return this.batch;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Waits until all is written; returns whether that came true in time. */
	boolean flush(Duration timeout) throws InterruptedException {
		this.lock.lock();
		try {
			long nanos = timeout.toNanos();
			while (nanos > 0 && !isEmpty() && !this.ended) {
				nanos = this.changed.awaitNanos(nanos);
			}
			return isEmpty();
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

	private boolean isEmpty() {
		return this.waiting.isEmpty() && this.batch.isEmpty();
	}

}
