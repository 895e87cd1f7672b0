package io.rowqueue.engine.finish;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.AttemptOutcome;
import io.rowqueue.engine.lease.Lease;

/**
 * Collects the outcomes of jobs and writes them, many at once: those that end while a
 * batch is written are the next one. What cannot be written is kept and tried again: the
 * whole batch, if the database is away; otherwise only those outcomes that are refused,
 * and after a pause, so that they hold up no others.
 */
public final class Finisher {

	/** How many outcomes one batch has at most. */
	static final int MAX_OUTCOMES = 1000;

	/** If this number of outcomes is not written, the worker claims no more jobs. */
	public static final int MAX_UNWRITTEN = 2 * MAX_OUTCOMES;

	private final OutcomeWriter writer;

	private final Runnable caughtUp;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Deque<AttemptOutcome> waiting = new ArrayDeque<>();

	private final PostponedOutcomes postponed = new PostponedOutcomes();

	private List<AttemptOutcome> batch = List.of();

	private boolean ended;

	/**
	 * Creates the finisher.
	 * @param writer writes batches
	 * @param caughtUp called when the next claim is no longer held back
	 */
	public Finisher(OutcomeWriter writer, Runnable caughtUp) {
		this.writer = writer;
		this.caughtUp = caughtUp;
	}

	public void add(AttemptOutcome outcome) {
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

	/** Whether all outcomes are written. */
	public boolean isIdle() {
		return locked(this::isEmpty);
	}

	/** Releases jobs that have not started. */
	public void release(List<ActiveJob> unstarted) {
		unstarted.forEach((job) -> add(new AttemptOutcome.Released(job)));
	}

	/** Whether the worker claims no more jobs until outcomes have been written. */
	public boolean isBehind() {
		return locked(() -> unwrittenCount() >= MAX_UNWRITTEN);
	}

	/** The leases whose outcome is known here and not yet in the database. */
	public Set<Lease> unwritten() {
		return locked(() -> Stream.of(this.waiting, this.batch, this.postponed.outcomes())
			.flatMap(Collection::stream)
			.map(AttemptOutcome::lease)
			.collect(Collectors.toCollection(HashSet::new)));
	}

	/**
	 * Waits for outcomes and writes them. A batch whose statement has failed is written
	 * again in the next turn, together with newer outcomes.
	 */
	public void turn() throws InterruptedException {
		List<AttemptOutcome> outcomes = take();
		long begin = System.nanoTime();
		List<UnwrittenOutcome> unwritten = isPostponed(outcomes) ? this.writer.writeAgain(outcomes)
				: this.writer.write(outcomes);
		Duration taken = Duration.ofNanos(System.nanoTime() - begin);
		this.lock.lock();
		try {
			boolean wasBehind = unwrittenCount() + outcomes.size() >= MAX_UNWRITTEN;
			this.batch = List.of();
			this.postponed.tried(outcomes, unwritten, taken);
			this.changed.signalAll();
			if (wasBehind && unwrittenCount() < MAX_UNWRITTEN) {
				this.caughtUp.run();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private List<AttemptOutcome> take() throws InterruptedException {
		this.lock.lock();
		try {
			List<AttemptOutcome> due = this.postponed.due(MAX_OUTCOMES);
			while (this.batch.isEmpty() && this.waiting.isEmpty() && due.isEmpty() && !this.ended) {
				Duration untilDue = this.postponed.untilDue();
				if (untilDue != null) {
					this.changed.awaitNanos(untilDue.toNanos());
				}
				else {
					this.changed.await();
				}
				due = this.postponed.due(MAX_OUTCOMES);
			}
			if (this.batch.isEmpty() && !due.isEmpty()) {
				this.batch = due;
			}
			else if (!isPostponed(this.batch)) {
				List<AttemptOutcome> next = new ArrayList<>(this.batch);
				while (next.size() < MAX_OUTCOMES && !this.waiting.isEmpty()) {
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

	/**
	 * Waits until all outcomes are written; returns false if some are not by then.
	 * Postponed ones are tried at once.
	 */
	public boolean flush(Duration timeout) throws InterruptedException {
		this.lock.lock();
		try {
			this.postponed.hurry();
			this.changed.signalAll();
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

	/** Ends the wait in {@link #turn()}. */
	public void end() {
		this.lock.lock();
		try {
			this.ended = true;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private <T> T locked(Supplier<T> action) {
		this.lock.lock();
		try {
			return action.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean isEmpty() {
		return this.waiting.isEmpty() && this.batch.isEmpty() && this.postponed.size() == 0;
	}

	private boolean isPostponed(List<AttemptOutcome> batch) {
		return !batch.isEmpty() && this.postponed.contains(batch.get(0));
	}

	private int unwrittenCount() {
		return this.waiting.size() + this.postponed.size();
	}

}
