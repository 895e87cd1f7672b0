package io.rowqueue.engine.slot;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.JobRunner;
import io.rowqueue.engine.attempt.AttemptOutcome;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.JobLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A thread that runs one job of its pool after the other. It ends when it has been idle
 * for a minute, when the pool needs it no more, or when the pool has given its slot to
 * another thread; no failure ends it, not even between two jobs.
 */
final class Slot implements Runnable {

	/** Others can free some memory meanwhile. */
	private static final Duration PAUSE = Duration.ofMillis(100);

	private static final Logger logger = JobLog.logger();

	private final Pool pool;

	private final JobRunner runner;

	private final Consumer<AttemptOutcome> finished;

	private final SlotListener slots;

	/** Whether the pool knows that the thread has begun. */
	private boolean begun;

	/** The job that has the slot. */
	private @Nullable ActiveJob job;

	/** Whether the job has run. */
	private boolean done;

	private boolean ended;

	Slot(Pool pool, JobRunner runner, Consumer<AttemptOutcome> finished, SlotListener slots) {
		this.pool = pool;
		this.runner = runner;
		this.finished = finished;
		this.slots = slots;
	}

	@Override
	public void run() {
		while (!this.ended) {
			try {
				step();
			}
			catch (Throwable ex) { // no memory between two jobs, for example
				report("A slot of " + this.pool.name() + " continues after a failure", ex);
				Thread.interrupted();
				LockSupport.parkNanos(PAUSE.toNanos());
			}
		}
	}

	/** Continues where the previous step has failed. */
	private void step() {
		if (!this.begun) {
			this.pool.jobs().threadBegins();
			this.begun = true;
		}
		ActiveJob current = this.job;
		if (current == null) {
			await();
		}
		else if (!this.done) {
			this.done = true;
			run(current);
		}
		else {
			leave(current);
		}
	}

	private void await() {
		this.job = this.pool.jobs().next();
		this.done = false;
		this.ended = this.job == null;
		if (!this.ended) {
			this.slots.slotTaken(this.pool);
		}
	}

	/**
	 * Runs a job. Without an outcome, its lease is unknown to the worker as soon as it
	 * has left the slot, and so the attempt fails. An interrupt that has reached the
	 * thread between two jobs was meant for the one before.
	 */
	private void run(ActiveJob current) {
		Thread.interrupted();
		try {
			this.runner.run(current, this.finished);
		}
		catch (Throwable ex) { // no memory for its outcome, for example
			report(current + " has no outcome, and the worker ends its lease within a minute", ex);
		}
	}

	/** Not before the finisher has the outcome of the job. */
	private void leave(ActiveJob current) {
		long nanos = current.hasBegun() ? current.nanosSinceBegin() : -1;
		ActiveJob next = this.pool.jobs().nextAfter(current);
		this.job = next;
		this.done = false;
		if (current.isAbandoned()) {
			this.ended = true; // another thread has the slot
			this.pool.abandonedHasEnded(current);
			return;
		}
		this.pool.left(current, nanos, this.slots);
	}

	private static void report(String what, Throwable error) {
		try {
			logger.error("{}: {}", what, ErrorText.summary(error));
		}
		catch (Throwable ex) {
			// no memory for that either: the slot continues all the same
		}
	}

}
