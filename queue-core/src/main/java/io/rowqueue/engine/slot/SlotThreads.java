package io.rowqueue.engine.slot;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.JobRunner;
import io.rowqueue.engine.attempt.AttemptOutcome;
import io.rowqueue.engine.support.ErrorText;
import io.rowqueue.engine.support.JobLog;
import org.slf4j.Logger;

/**
 * The threads of a pool, at most one for each slot. A thread whose handler does not end
 * loses its slot to another thread.
 */
final class SlotThreads {

	private static final Logger logger = JobLog.logger();

	private final Pool pool;

	private final LocalQueue jobs;

	private final Prefetch prefetch;

	private final SlotShare share;

	private final AtomicInteger abandoned = new AtomicInteger();

	/** Whether the latest thread could not be started. */
	private volatile boolean failing;

	private volatile Runnable newSlot = () -> {
	};

	SlotThreads(Pool pool, Prefetch prefetch, SlotShare share) {
		this.pool = pool;
		this.jobs = new LocalQueue(share, this::add);
		this.prefetch = prefetch;
		this.share = share;
	}

	LocalQueue jobs() {
		return this.jobs;
	}

	/**
	 * Lets the slots run jobs.
	 * @param number how many there are
	 * @param factory makes their threads
	 * @param runner runs the jobs
	 * @param finished takes the outcomes of jobs
	 * @param slots notified of what happens to the slots
	 */
	void start(int number, ThreadFactory factory, JobRunner runner, Consumer<AttemptOutcome> finished,
			SlotListener slots) {
		this.newSlot = () -> factory.newThread(new Slot(this.pool, runner, finished, slots)).start();
		this.jobs.resize(number);
	}

	/**
	 * Starts a thread; if that fails, the job waits, and it is tried again each second.
	 */
	private boolean add() {
		try {
			this.newSlot.run();
			this.failing = false;
		}
		catch (Throwable ex) { // no more threads, for example; the pool has the job
			if (!this.failing) {
				logger.warn("No thread can be started for a slot of {}; it is tried again each second: {}", this.pool,
						ErrorText.summary(ex));
			}
			this.failing = true;
		}
		return !this.failing;
	}

	/** A job has left its slot; {@code nanos}: how long it has run, or -1. */
	void left(ActiveJob job, long nanos, SlotListener slots) {
		if (nanos >= 0) {
			this.prefetch.learn(job.type(), nanos / (job.isCoalesced() ? job.together().size() : 1));
		}
		slots.slotFreed(this.pool, job.type());
		this.share.changed();
	}

	/**
	 * Gives up a handler that does not end: a new thread takes its slot if a job waits.
	 * Returns false if the handler has ended in the meantime.
	 * @param job a job whose outcome is decided
	 */
	boolean abandon(ActiveJob job) {
		ActiveJob ofThread = job.together().get(0);
		if (!this.jobs.abandon(ofThread)) {
			return false;
		}
		this.abandoned.incrementAndGet();
		this.jobs.startThreads();
		this.share.changed();
		return true;
	}

	/** A handler that was given up has ended. */
	void abandonedHasEnded(ActiveJob job) {
		this.abandoned.decrementAndGet();
		logger.info("The handler of {} has ended after all; its result is discarded", job);
	}

	/** Returns how many threads run handlers that were given up. */
	int abandoned() {
		return this.abandoned.get();
	}

}
