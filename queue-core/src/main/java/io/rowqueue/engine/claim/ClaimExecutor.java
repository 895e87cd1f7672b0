package io.rowqueue.engine.claim;

import java.util.ArrayList;
import java.util.List;

import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.TypeOptions;
import io.rowqueue.engine.finish.Finisher;
import io.rowqueue.engine.lease.Claim;
import io.rowqueue.engine.lease.ClaimStore;
import io.rowqueue.engine.lease.ClaimStore.Claimed;
import io.rowqueue.engine.lease.ClaimStore.LimitedClaim;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.slot.Pool;
import io.rowqueue.engine.slot.Pools;

/**
 * Executes claims and brings the jobs to the slots of their pools at once, so that the
 * worker holds them whatever fails afterwards. For any thread.
 */
final class ClaimExecutor {

	private final ClaimStore store;

	private final Pools pools;

	private final LaneMap lanes;

	private final TypeOptions options;

	private final Finisher finisher;

	private final HeldClaims held = new HeldClaims();

	ClaimExecutor(ClaimStore store, Pools pools, LaneMap lanes, TypeOptions options, Finisher finisher) {
		this.store = store;
		this.pools = pools;
		this.lanes = lanes;
		this.options = options;
		this.finisher = finisher;
	}

	/** Claims jobs, and deletes the rows of earlier claims that have ended. */
	Claimed claim(Claim claim) {
		Claimed claimed = this.store.claim(claim.dropping(this.held.takeEnded()));
		this.held.add(claimed);
		dispatch(claimed.jobs());
		return claimed;
	}

	/** Claims jobs of lanes that have a limit in the cluster. */
	LimitedClaim claimLimited(Claim claim) {
		LimitedClaim claimed = this.store.claimLimited(claim);
		dispatch(claimed.jobs());
		return claimed;
	}

	/** Whether no job may start until outcomes have been written. */
	boolean isBehind() {
		return this.finisher.isBehind();
	}

	/**
	 * Brings a job that was enqueued with its lease to a slot of its pool, or queues it
	 * again if the pool has no place for it.
	 * @param late whether to queue it again in any case
	 */
	void start(Pool pool, ClaimedJob job, boolean late) {
		this.held.add(new Claimed(List.of(job), false, job.claimId()));
		this.store.report(job);
		ActiveJob active = active(job);
		if (late || !pool.addIfRoom(active)) {
			this.finisher.release(List.of(active));
		}
	}

	private ActiveJob active(ClaimedJob job) {
		return new ActiveJob(job, this.options.of(job.type()), this.lanes.urgency(job));
	}

	/** A pool that is closed releases its jobs. */
	private void dispatch(List<ClaimedJob> claimed) {
		this.pools.byPool(claimed).forEach((pool, own) -> {
			List<ActiveJob> jobs = new ArrayList<>(own.size());
			own.forEach((job) -> jobs.add(active(job)));
			jobs.sort(ActiveJob.MOST_URGENT_FIRST);
			if (!pool.jobs().add(jobs)) {
				this.finisher.release(jobs);
			}
		});
	}

	/** The outcome of the job is in the database. */
	void ended(ActiveJob job) {
		this.held.ended(job);
	}

}
