package io.rowqueue.engine.claim;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.lease.Lane;

/**
 * The order in which one turn claims from its lanes. Plain lanes share one statement.
 * On-demand lanes take turns with them as plain lanes do with each other: one that is
 * more urgent than all plain lanes of its pool that have jobs, or as urgent with a job
 * that has waited longer, is claimed before them, any other after them.
 *
 * @param before the on-demand lanes that are claimed first
 * @param plain the plain lanes
 * @param after the on-demand lanes that are claimed last
 */
record ClaimPlan(List<Stage> before, List<PoolLane> plain, List<Stage> after) {

	/**
	 * Plans a turn.
	 * @param lanes the lanes in the order of their urgency, and of how long their first
	 * job has waited
	 * @param kind how a lane is claimed
	 * @param hadJobs whether the latest sweep found jobs in a lane
	 */
	static ClaimPlan of(List<PoolLane> lanes, Function<Lane, LaneKind> kind, Predicate<Lane> hadJobs) {
		List<PoolLane> before = new ArrayList<>();
		List<PoolLane> plain = new ArrayList<>();
		List<PoolLane> after = new ArrayList<>();
		Set<String> poolsWithPlainJobs = new HashSet<>();
		for (PoolLane lane : lanes) {
			if (!kind.apply(lane.head().lane()).isPlain()) {
				(poolsWithPlainJobs.contains(lane.pool()) ? after : before).add(lane);
				continue;
			}
			plain.add(lane);
			if (hadJobs.test(lane.head().lane())) {
				poolsWithPlainJobs.add(lane.pool());
			}
		}
		return new ClaimPlan(stages(before, kind), plain, stages(after, kind));
	}

	/** The pools that have on-demand lanes. */
	Set<String> onDemandPools() {
		return Stream.of(this.before, this.after)
			.flatMap(List::stream)
			.flatMap((stage) -> stage.lanes().stream())
			.map(PoolLane::pool)
			.collect(Collectors.toSet());
	}

	/** Among lanes of one urgency, those of a kind follow the first of that kind. */
	private static List<Stage> stages(List<PoolLane> lanes, Function<Lane, LaneKind> kind) {
		Map<Integer, Map<LaneKind, List<PoolLane>>> byUrgency = lanes.stream()
			.collect(Collectors.groupingBy((lane) -> lane.head().urgency(), LinkedHashMap::new, Collectors
				.groupingBy((lane) -> kind.apply(lane.head().lane()), LinkedHashMap::new, Collectors.toList())));
		List<Stage> stages = new ArrayList<>();
		byUrgency.values().forEach((kinds) -> kinds.forEach((each, own) -> {
			if (stages.isEmpty() || !stages.get(stages.size() - 1).kind().equals(each)) {
				stages.add(new Stage(each, new ArrayList<>()));
			}
			stages.get(stages.size() - 1).lanes().addAll(own);
		}));
		return stages;
	}

	/** Lanes that one statement claims from. */
	record Stage(LaneKind kind, List<PoolLane> lanes) {

	}

}
