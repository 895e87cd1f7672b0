package io.rowqueue.engine.claim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.rowqueue.engine.lease.Claim;
import io.rowqueue.engine.lease.ClaimStore.Claimed;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.slot.Pools;

/**
 * Executes the claims of one plan: urgent on-demand lanes, plain lanes with one
 * statement, and the other on-demand lanes. Used by the thread that claims.
 */
final class PlannedClaims {

	private final ClaimExecutor claims;

	private final LatestClaim latest;

	private final OnDemandLanes onDemand;

	private final long workerId;

	private final Pools pools;

	PlannedClaims(ClaimExecutor claims, LatestClaim latest, OnDemandLanes onDemand, long workerId, Pools pools) {
		this.claims = claims;
		this.latest = latest;
		this.onDemand = onDemand;
		this.workerId = workerId;
		this.pools = pools;
	}

	/**
	 * Claims what is planned.
	 * @param room how many jobs to claim, by pool
	 */
	List<ClaimedJob> claim(ClaimPlan plan, Map<String, Integer> room) {
		if (this.onDemand.isEmpty()) {
			return claimPlain(plan, room);
		}
		List<ClaimedJob> jobs = new ArrayList<>(this.onDemand.claimFirst(plan, room));
		Map<String, Integer> left = new LinkedHashMap<>(room);
		subtract(jobs, left);
		List<ClaimedJob> plain = claimPlain(plan, left);
		jobs.addAll(plain);
		subtract(plain, left);
		jobs.addAll(this.onDemand.claimLast(plan,
				left.keySet().stream().filter((pool) -> left.getOrDefault(pool, 0) == 0).collect(Collectors.toSet())));
		return jobs;
	}

	private List<ClaimedJob> claimPlain(ClaimPlan plan, Map<String, Integer> room) {
		if (plan.plain().isEmpty()) {
			return List.of();
		}
		Claim claim = this.latest.next(new Claim(this.workerId, room, plan.plain()));
		Claimed claimed = this.claims.claim(claim);
		this.latest.was(claim, claimed);
		return claimed.jobs();
	}

	private void subtract(List<ClaimedJob> jobs, Map<String, Integer> left) {
		this.pools.byPool(jobs)
			.forEach((pool, own) -> left.computeIfPresent(pool.name(), (name, room) -> Math.max(0, room - own.size())));
	}

}
