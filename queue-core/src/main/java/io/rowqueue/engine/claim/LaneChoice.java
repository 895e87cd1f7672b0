package io.rowqueue.engine.claim;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Lane;
import io.rowqueue.engine.slot.Pool;
import io.rowqueue.engine.slot.Pools;

/**
 * Chooses the lanes that a claim reads. With many lanes a claim reads the most urgent
 * ones, or binding and walking over thousands of lanes would cost more than the jobs. A
 * lane that was read to its end is left out until the next sweep, so that the next claim
 * reads others. Used by the thread that claims.
 */
final class LaneChoice {

	private final LaneMap lanes;

	private final TypeLimits limits;

	private final OnDemandLanes onDemand;

	private final Pools pools;

	LaneChoice(LaneMap lanes, TypeLimits limits, OnDemandLanes onDemand, Pools pools) {
		this.lanes = lanes;
		this.limits = limits;
		this.onDemand = onDemand;
		this.pools = pools;
	}

	/**
	 * Chooses lanes of the given pools. Lanes of types that may have no more jobs are
	 * passed over, so that they do not hide others.
	 */
	Chosen choose(Collection<Pool> own) {
		Set<String> full = new HashSet<>();
		while (true) {
			LaneMap.Part part = this.lanes.of(own, this.pools, this.onDemand.isEmpty() ? null : this.onDemand::kind,
					full);
			List<PoolLane> allotted = this.limits.allot(part.lanes(), this.pools, full);
			if (!part.more() || !full.addAll(withoutShare(part.lanes(), allotted))) {
				return new Chosen(part.lanes(), allotted, part.more(), this.lanes.sweeps());
			}
		}
	}

	private static Set<String> withoutShare(List<PoolLane> known, List<PoolLane> allotted) {
		if (known.size() == allotted.size()) {
			return Set.of();
		}
		Set<String> types = types(known);
		types.removeAll(types(allotted));
		return types;
	}

	private static Set<String> types(List<PoolLane> lanes) {
		Set<String> types = new HashSet<>();
		lanes.forEach((lane) -> types.add(lane.head().lane().type()));
		return types;
	}

	/**
	 * Learns from what a claim has brought.
	 * @param full the pools that the claim has filled
	 * @return whether other lanes may have jobs that the claim could not bring
	 */
	boolean learn(Chosen chosen, List<ClaimedJob> jobs, Set<String> full) {
		if (!chosen.more && !this.limits.areThere()) {
			return false;
		}
		Set<Lane> ended = readToTheEnd(chosen.allotted, jobs, full);
		boolean again = this.limits.learn(chosen.known, ended);
		ended.removeIf((lane) -> !this.onDemand.kind(lane).isPlain());
		boolean others = chosen.more && chosen.sweeps == this.lanes.sweeps() && this.lanes.leaveOut(ended);
		return again || others;
	}

	/**
	 * Of a pool that is not full, these are all lanes that gave less than they might; of
	 * a full one, the plain ones of them before the last one that has given a job.
	 */
	private Set<Lane> readToTheEnd(List<PoolLane> allotted, List<ClaimedJob> jobs, Set<String> full) {
		Map<Lane, Integer> given = new HashMap<>();
		jobs.forEach((job) -> given.merge(new Lane(job.queue(), job.type(), job.priority()), 1, Integer::sum));
		Set<Lane> ended = new HashSet<>();
		// pools whose last lane that gave a job has been passed
		Set<String> read = new HashSet<>();
		for (int i = allotted.size() - 1; i >= 0; i--) {
			PoolLane lane = allotted.get(i);
			int jobsOfLane = given.getOrDefault(lane.head().lane(), 0);
			boolean passed = read.contains(lane.pool()) && this.onDemand.kind(lane.head().lane()).isPlain();
			boolean toTheEnd = passed || !full.contains(lane.pool());
			if (toTheEnd && jobsOfLane < lane.maxJobs()) {
				ended.add(lane.head().lane());
			}
			if (jobsOfLane > 0) {
				read.add(lane.pool());
			}
		}
		return ended;
	}

	/**
	 * What a claim may read.
	 *
	 * @param known the lanes
	 * @param allotted the lanes with what each may give
	 * @param more whether there are more lanes
	 * @param sweeps how often the lanes had been swept
	 */
	record Chosen(List<PoolLane> known, List<PoolLane> allotted, boolean more, int sweeps) {

	}

}
