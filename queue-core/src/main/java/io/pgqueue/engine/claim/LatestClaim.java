package io.pgqueue.engine.claim;

import java.util.Set;

import io.pgqueue.engine.lease.Claim;
import io.pgqueue.engine.lease.ClaimStore.Claimed;
import io.pgqueue.engine.slot.Pool;

/**
 * What follows from the latest claim for the next one.
 * <p>
 * While there are more jobs than a claim asks for, several claims are under way: the rows
 * that one is taking are skipped by the others. Otherwise a worker waits for the one
 * session that claims, which in turn waits for the log at each commit, and for the worker
 * to go on.
 * <p>
 * Jobs that others have locked are passed over without a look at their locks. That also
 * leaves some which are free: so it is done only after a claim that was full and met none
 * of these, and not right after a sweep, which begins where the first of them waits.
 */
final class LatestClaim {

	private static final int UNKNOWN = -1;

	/** How many it brought. */
	private int jobs = UNKNOWN;

	/** Its pools, if it was full and met no touched job. */
	private Set<String> full = Set.of();

	/** The lanes begin where a sweep found them: the next claim looks at every job. */
	void swept() {
		this.full = Set.of();
	}

	/** Nothing is known of it. */
	void failed() {
		this.jobs = UNKNOWN;
		this.full = Set.of();
	}

	/** It has brought this. */
	void was(Claim claim, Claimed claimed) {
		this.jobs = claimed.jobs().size();
		int most = claim.room().values().stream().mapToInt((each) -> each).sum();
		boolean full = this.jobs > 0 && this.jobs >= most && !claimed.touched();
		this.full = full ? Set.copyOf(claim.room().keySet()) : Set.of();
	}

	/**
	 * Whether to wait for the claims that still execute: they show what there is. Not
	 * after a failure: the next one learns whether the database is back.
	 */
	boolean wasShort() {
		return this.jobs != UNKNOWN && this.jobs < Pool.MAX_JOBS_PER_CLAIM;
	}

	/**
	 * Whether a claim is to be under way beside others. What a lane may give at most is
	 * counted by a statement, not by several.
	 */
	boolean isWorthASession(Claim claim) {
		return this.jobs >= Pool.MAX_JOBS_PER_CLAIM && claim.room().size() == 1
				&& claim.room().values().stream().allMatch((most) -> most >= Pool.MAX_JOBS_PER_CLAIM)
				&& claim.lanes().stream().allMatch((lane) -> lane.most() == Integer.MAX_VALUE);
	}

	/** The claim as it is cheapest to do. */
	Claim next(Claim claim) {
		return this.full.containsAll(claim.room().keySet()) ? claim.ofUntouched() : claim;
	}

}
