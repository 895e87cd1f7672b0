package io.rowqueue.engine.claim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.lease.Lane;
import io.rowqueue.engine.slot.Pool;
import io.rowqueue.engine.slot.Pools;

/**
 * Keeps types to their concurrency, and slow ones to the slots of their pools, so that
 * fast ones are claimed ahead and slow ones are not. A worker holds no more jobs of such
 * a type than may run, be they running or not, so a claim asks for what is missing. What
 * a type may still have goes to one of its lanes, the most urgent that has not come up
 * short since the latest sweep: two lanes together could not give too many. Used by the
 * thread that claims, except where it says otherwise.
 */
final class TypeLimits {

	private final Map<String, Integer> configured;

	private final Map<String, Integer> callSizes;

	/** Those of the latest claim. */
	private Map<String, Integer> limits = Map.of();

	/** Types that may have more jobs than they were allowed. */
	private final Set<String> typesWithMore = ConcurrentHashMap.newKeySet();

	private final Set<Lane> readToEnd = new HashSet<>();

	/**
	 * Creates the limits.
	 * @param limits how many calls of a handler there are at once, by type
	 * @param callSizes how many jobs a call has at most, for types that have more than
	 * one
	 */
	TypeLimits(Map<String, Integer> limits, Map<String, Integer> callSizes) {
		this.configured = Map.copyOf(limits);
		this.callSizes = Map.copyOf(callSizes);
	}

	/** Whether a job of this type that ends makes room for another; for any thread. */
	boolean mayHaveMore(String type) {
		return !this.typesWithMore.isEmpty() && this.typesWithMore.contains(type);
	}

	/** All lanes have been looked at. */
	void swept() {
		this.readToEnd.clear();
	}

	/**
	 * The lanes to claim from, each with what it may give; in the same order.
	 * @param full types whose lanes were left out because they may have no more jobs now
	 */
	List<PoolLane> allot(List<PoolLane> lanes, Pools pools, Set<String> full) {
		this.limits = limits(lanes, pools);
		this.typesWithMore.removeIf((type) -> !this.limits.containsKey(type) && !full.contains(type));
		if (this.limits.isEmpty()) {
			return lanes;
		}
		Map<String, List<PoolLane>> limited = new HashMap<>();
		lanes.stream()
			.filter((lane) -> this.limits.containsKey(type(lane)))
			.forEach((lane) -> limited.computeIfAbsent(type(lane), (type) -> new ArrayList<>()).add(lane));
		// before the count: a job that ends after the count is reported
		this.typesWithMore.addAll(limited.keySet());
		Map<String, Integer> held = pools.heldByType(limited.keySet());
		Map<PoolLane, Integer> maxJobs = new HashMap<>();
		limited.forEach((type, own) -> maxJobs
			.putAll(share(own, Math.max(0, this.limits.getOrDefault(type, 0) - held.getOrDefault(type, 0))
					* this.callSizes.getOrDefault(type, 1))));
		List<PoolLane> allotted = new ArrayList<>();
		for (PoolLane lane : lanes) {
			int jobs = maxJobs.getOrDefault(lane, lane.maxJobs());
			if (jobs > 0) {
				allotted.add(new PoolLane(lane.pool(), lane.head(), jobs));
			}
		}
		return allotted;
	}

	private Map<String, Integer> limits(List<PoolLane> lanes, Pools pools) {
		Map<String, Set<Pool>> slow = new HashMap<>();
		for (PoolLane lane : lanes) {
			pools.of(lane.head().lane().queue())
				.filter((pool) -> pool.isAheadOf(type(lane)))
				.ifPresent((pool) -> slow.computeIfAbsent(type(lane), (type) -> new HashSet<>()).add(pool));
		}
		if (slow.isEmpty()) {
			return this.configured;
		}
		Map<String, Integer> all = new HashMap<>(this.configured);
		slow.forEach((type, own) -> all.merge(type, own.stream().mapToInt(Pool::concurrency).sum(), Math::min));
		return all;
	}

	private Map<PoolLane, Integer> share(List<PoolLane> lanes, int free) {
		Map<PoolLane, Integer> shares = new HashMap<>();
		lanes.forEach((lane) -> shares.put(lane, 0));
		lanes.stream()
			.filter((lane) -> !this.readToEnd.contains(lane.head().lane()))
			.findFirst()
			.ifPresentOrElse((lane) -> shares.put(lane, free), () -> {
				for (int job = 0; job < free; job++) {
					shares.merge(lanes.get(job % lanes.size()), 1, Integer::sum);
				}
			});
		return shares;
	}

	/** Whether the latest claim had any. */
	boolean areThere() {
		return !this.limits.isEmpty();
	}

	/**
	 * Learns from what a claim brought.
	 * @param lanes all lanes
	 * @param ended those of them that were read to their end
	 * @return whether to ask again at once, since another lane of a type may have more
	 */
	boolean learn(List<PoolLane> lanes, Set<Lane> ended) {
		Set<String> shortTypes = new HashSet<>();
		ended.stream().filter((lane) -> this.limits.containsKey(lane.type())).forEach((lane) -> {
			this.readToEnd.add(lane);
			shortTypes.add(lane.type());
		});
		return lanes.stream()
			.anyMatch((lane) -> shortTypes.contains(type(lane)) && !this.readToEnd.contains(lane.head().lane()));
	}

	private static String type(PoolLane lane) {
		return lane.head().lane().type();
	}

}
