package io.rowqueue.engine.slot;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Learns how many jobs a pool holds beyond those that run: about as many as its slots run
 * in {@link #AHEAD}, so that fast jobs never wait for a claim and slow ones remain for
 * other workers, which may have idle slots. Of a type whose jobs run for longer than
 * that, a pool never holds more jobs than it has slots.
 */
final class Prefetch {

	static final Duration AHEAD = Duration.ofMillis(100);

	private final int max;

	private final RunTimes runTimes = new RunTimes();

	private final Map<String, RunTimes> runTimesByType = new ConcurrentHashMap<>();

	/**
	 * How many slots are held by jobs that run for so long that none waits behind them.
	 */
	private volatile int occupied;

	/**
	 * Creates the prefetch.
	 * @param max how many jobs a pool holds at most beyond those that run
	 */
	Prefetch(int max) {
		this.max = max;
	}

	/** Learns how long a job of a type has run. */
	void learn(String type, long nanos) {
		this.runTimes.add(nanos);
		RunTimes known = this.runTimesByType.get(type);
		((known != null) ? known : this.runTimesByType.computeIfAbsent(type, (added) -> new RunTimes())).add(nanos);
	}

	/**
	 * Learns that jobs have waited for a slot, because those before them run for longer
	 * than jobs did until then.
	 * @param wait for how long they have waited
	 */
	void waited(Duration wait) {
		this.runTimes.raise(wait.toNanos());
	}

	/** Sets how many slots are held by jobs that none is to wait behind. */
	void occupied(long slots) {
		this.occupied = (int) slots;
	}

	/** Returns how many jobs a pool of so many slots holds beyond those that run. */
	int jobs(int slots) {
		int quick = Math.max(0, slots - this.occupied);
		return (int) Math.min(this.max, this.runTimes.jobsIn(AHEAD.toNanos(), quick));
	}

	/**
	 * Returns whether jobs of this type must not wait for a slot: they run for too long,
	 * or none has run yet.
	 */
	boolean excludes(String type) {
		RunTimes known = this.runTimesByType.get(type);
		return known == null || known.jobsIn(AHEAD.toNanos(), 1) == 0;
	}

	/**
	 * How long the jobs of a pool run: a moving average in which the latest job counts a
	 * sixteenth.
	 */
	static final class RunTimes {

		private static final int WEIGHT = 16;

		private static final long NONE = 0;

		private final AtomicLong average = new AtomicLong(NONE);

		void add(long nanos) {
			long time = Math.max(1, nanos);
			long before = this.average.get();
			// if another thread has added a time meanwhile, this one is not needed
			this.average.compareAndSet(before,
					(before == NONE) ? time : Math.max(1, before + (time - before) / WEIGHT));
		}

		/** The jobs seem to run for longer than those that have ended. */
		void raise(long nanos) {
			this.average.accumulateAndGet(nanos, Math::max);
		}

		/**
		 * How many jobs {@code slots} slots finish in that time; 0 before the first job.
		 */
		long jobsIn(long nanos, int slots) {
			long time = this.average.get();
			return (time == NONE) ? 0 : nanos / time * slots;
		}

	}

}
