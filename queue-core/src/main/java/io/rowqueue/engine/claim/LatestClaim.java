package io.rowqueue.engine.claim;

import java.util.Set;

import io.rowqueue.engine.lease.Claim;
import io.rowqueue.engine.lease.ClaimStore.Claimed;
import io.rowqueue.engine.slot.Pool;

/**
 * The result of the latest claim, which decides how the next one is made.
 * <p>
 * A claim in the background is worth a session if the latest one has brought as many jobs
 * as a claim can bring: then several claims execute at once, and each skips the rows that
 * the others are claiming. Otherwise one session claims, and the next claim waits for its
 * commit.
 * <p>
 * A claim of untouched rows ({@link Claim#ofUntouched()}) is faster, because it does not
 * check the locks of rows that other transactions have changed. It also skips some rows
 * that are not locked any more. Therefore it follows only a claim that was full and met
 * no touched row, and never directly follows a sweep, which begins at the first of them.
 */
final class LatestClaim {

	private static final int UNKNOWN = -1;

	/** The number of jobs that it has brought. */
	private int jobs = UNKNOWN;

	/** Its pools, if it was full and met no touched row. */
	private Set<String> full = Set.of();

	/** A sweep has set where the lanes begin: the next claim checks every row. */
	void swept() {
		this.full = Set.of();
	}

	/** A sweep has found no jobs, so that there was no claim. */
	void foundNothing() {
		this.jobs = 0;
		this.full = Set.of();
	}

	/** The claim has failed. */
	void failed() {
		this.jobs = UNKNOWN;
		this.full = Set.of();
	}

	/** The claim has ended. */
	void was(Claim claim, Claimed claimed) {
		this.jobs = claimed.jobs().size();
		int room = claim.room().values().stream().mapToInt((each) -> each).sum();
		boolean full = this.jobs > 0 && this.jobs >= room && !claimed.touched();
		this.full = full ? Set.copyOf(claim.room().keySet()) : Set.of();
	}

	/**
	 * Whether to wait for the claims that still execute, because they show whether there
	 * are more jobs. False after a failure, so that the next claim finds out whether the
	 * database is available.
	 */
	boolean wasShort() {
		return this.jobs != UNKNOWN && this.jobs < Pool.MAX_JOBS_PER_CLAIM;
	}

	/**
	 * Whether a claim may execute in the background, beside others. A lane with a maximum
	 * number of jobs is claimed by one statement at a time, which counts them.
	 */
	boolean isWorthASession(Claim claim) {
		return this.jobs >= Pool.MAX_JOBS_PER_CLAIM && claim.room().size() == 1
				&& claim.room().values().stream().allMatch((room) -> room >= Pool.MAX_JOBS_PER_CLAIM)
				&& claim.lanes().stream().allMatch((lane) -> lane.maxJobs() == Integer.MAX_VALUE);
	}

	/** Returns the claim in its fastest form. */
	Claim next(Claim claim) {
		return this.full.containsAll(claim.room().keySet()) ? claim.ofUntouched() : claim;
	}

}
