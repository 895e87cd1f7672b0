package io.pgqueue.engine.worker;

import java.util.List;

import io.pgqueue.engine.lease.Claim;
import io.pgqueue.engine.lease.ClaimStore;
import io.pgqueue.engine.lease.ClaimStore.Claimed;
import io.pgqueue.engine.lease.ClaimStore.LimitedClaim;
import io.pgqueue.engine.lease.ClaimedJob;

/**
 * Claims jobs and brings them to the slots of their pools as soon as they are here:
 * whoever waits for the claim, and whatever fails after it, they are held. For any
 * thread.
 */
final class Intake {

	private final ClaimStore store;

	private final Pools pools;

	private final Lanes lanes;

	private final Dispatcher dispatcher;

	private final OpenClaims open = new OpenClaims();

	Intake(ClaimStore store, Pools pools, Lanes lanes, Dispatcher dispatcher) {
		this.store = store;
		this.pools = pools;
		this.lanes = lanes;
		this.dispatcher = dispatcher;
	}

	/** Claims jobs. */
	Claimed claim(Claim claim) {
		Claimed claimed = this.store.claim(claim);
		this.open.add(claimed);
		dispatch(claimed.jobs());
		return claimed;
	}

	/** Claims jobs of lanes that have a limit in the cluster. */
	LimitedClaim claimLimited(Claim claim) {
		LimitedClaim claimed = this.store.claimLimited(claim);
		dispatch(claimed.jobs());
		return claimed;
	}

	private void dispatch(List<ClaimedJob> jobs) {
		this.pools.byPool(jobs).forEach((pool, own) -> this.dispatcher.dispatch(pool, own, this.lanes::urgency));
	}

	/** What became of the job is in the database. */
	void ended(ActiveJob job) {
		this.open.ended(job);
	}

	/** The claims that have come to their end since it was asked last. */
	List<Long> takeOver() {
		return this.open.takeOver();
	}

}
