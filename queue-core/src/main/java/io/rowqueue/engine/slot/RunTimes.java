package io.rowqueue.engine.slot;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How long the jobs of a pool run: a moving average in which the latest job counts a
 * sixteenth.
 */
final class RunTimes {

	private static final int WEIGHT = 16;

	private static final long NONE = 0;

	private final AtomicLong average = new AtomicLong(NONE);

	void add(long nanos) {
		long time = Math.max(1, nanos);
		long before = this.average.get();
		// if another thread has added a time meanwhile, this one is not needed
		this.average.compareAndSet(before, (before == NONE) ? time : Math.max(1, before + (time - before) / WEIGHT));
	}

	/** The jobs seem to run for longer than those that have ended. */
	void raise(long nanos) {
		this.average.accumulateAndGet(nanos, Math::max);
	}

	/** How many jobs {@code slots} slots finish in that time; 0 before the first job. */
	long jobsIn(long nanos, int slots) {
		long time = this.average.get();
		return (time == NONE) ? 0 : nanos / time * slots;
	}

}
