package io.rowqueue.engine.slot;

/**
 * Counts the places of a pool: those of the jobs that it holds, and those that are
 * reserved for the jobs of claims under way. They change with the lock of its
 * {@link LocalQueue} only, and any thread reads them without it.
 */
final class Places {

	private volatile int waiting;

	private volatile int held;

	private volatile int reserved;

	/**
	 * Sets how many jobs the pool holds.
	 * @param waiting how many wait for a slot
	 * @param running how many slots are in use
	 */
	void hold(int waiting, int running) {
		this.waiting = waiting;
		this.held = waiting + running;
	}

	/** Returns how many jobs wait for a slot. */
	int waiting() {
		return this.waiting;
	}

	/** Returns how many jobs wait or run. */
	int held() {
		return this.held;
	}

	/** Returns how many jobs the claims under way may bring. */
	int reserved() {
		return this.reserved;
	}

	/** Returns how many more jobs may be held, if {@code target} may be held in all. */
	int free(int target) {
		return target - this.held - this.reserved;
	}

	/**
	 * Reserves free places.
	 * @param maxJobs how many at most
	 * @param target how many jobs may be held in all
	 * @return how many places are reserved
	 */
	int reserve(int maxJobs, int target) {
		int places = Math.min(maxJobs, Math.max(0, free(target)));
		add(places);
		return places;
	}

	/**
	 * Reserves places, also if none is free: they are taken over from another
	 * reservation.
	 */
	@SuppressWarnings("NonAtomicVolatileUpdate") // with the lock
	void add(int places) {
		this.reserved += places;
	}

	/**
	 * Returns how many jobs to claim; 0 while too few are missing to be worth a claim. A
	 * claim is worth it when no job waits, when half of the jobs are missing, or when
	 * there is room for the jobs of a whole claim.
	 * @param target how many jobs may be held in all
	 */
	int room(int target) {
		int free = free(target);
		boolean worth = this.waiting + this.reserved == 0 || free >= Math.min(target / 2, Pool.MAX_JOBS_PER_CLAIM);
		return worth ? Math.max(0, free) : 0;
	}

}
