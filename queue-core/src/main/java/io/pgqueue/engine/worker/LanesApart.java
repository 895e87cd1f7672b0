package io.pgqueue.engine.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.pgqueue.Coalescing;
import io.pgqueue.engine.lease.Claim;
import io.pgqueue.engine.lease.Claim.PoolLane;
import io.pgqueue.engine.lease.ClaimStore.LimitedClaim;
import io.pgqueue.engine.lease.ClaimedJob;
import io.pgqueue.engine.lease.Lane;
import io.pgqueue.engine.lease.LaneStore;
import io.pgqueue.engine.lease.LaneStore.GatheringLane;
import io.pgqueue.engine.lease.LaneStore.RipeLanes;
import io.pgqueue.engine.support.Times;
import org.jspecify.annotations.Nullable;

/**
 * Claims from lanes that are not claimed like the others: those whose queue or type has a
 * limit in the cluster, and those whose jobs are run together. None of their jobs is
 * claimed ahead of a free slot: one that waits here would keep a place from workers that
 * could run it, or could still be joined by others. They take turns with the ordinary
 * lanes as these do with each other: those that are more urgent than all ordinary lanes
 * with jobs, or as urgent and have waited longer, are claimed before them, the others
 * after them and for the slots that are idle then. Used by the thread that claims, except
 * where it says otherwise.
 */
final class LanesApart {

	/** Two workers that want the same limit at the same time do not meet again. */
	private static final long MOST_JITTER_NANOS = 5_000_000;

	private final LaneStore store;

	private final Intake intake;

	private final long workerId;

	private final Pools pools;

	private final Lanes lanes;

	private final Map<String, Coalescing> coalescing;

	private @Nullable Long againAt;

	private volatile boolean ended;

	/** The pools whose lanes apart may have more jobs than there were slots for. */
	private final Set<String> cut = ConcurrentHashMap.newKeySet();

	/** Those that turn out to have no more, in the claim that goes on. */
	private final Set<String> exhausted = new HashSet<>();

	/**
	 * Creates them.
	 * @param coalescing the types whose jobs are run together
	 */
	LanesApart(LaneStore store, Intake intake, long workerId, Pools pools, Lanes lanes,
			Map<String, Coalescing> coalescing) {
		this.store = store;
		this.intake = intake;
		this.workerId = workerId;
		this.pools = pools;
		this.lanes = lanes;
		this.coalescing = Map.copyOf(coalescing);
	}

	/** A job has ended; returns whether that made room under a limit. For any thread. */
	boolean ended(ActiveJob job) {
		if (!this.lanes.isLimited(job.queue(), job.type())) {
			return false;
		}
		this.ended = true;
		return true;
	}

	/** Whether a slot of the pool that becomes free makes room; for any thread. */
	boolean isCut(Pool pool) {
		return !this.cut.isEmpty() && !isEmpty() && this.cut.contains(pool.name());
	}

	/** Returns true once for each time when there may be jobs where there were none. */
	boolean isDue() {
		boolean again = this.againAt != null && this.againAt - System.nanoTime() <= 0;
		boolean room = this.ended;
		if (room) { // or what ends just now would be forgotten
			this.ended = false;
		}
		this.againAt = again ? null : this.againAt;
		return room || again;
	}

	/** How long until there may be, if that is to come; never longer than that. */
	Duration pause(Duration longest) {
		if (this.againAt == null) {
			return longest;
		}
		Duration left = Duration.ofNanos(Math.max(0, this.againAt - System.nanoTime()));
		return Times.shorter(longest, left);
	}

	/** Whether there are none. */
	boolean isEmpty() {
		return this.coalescing.isEmpty() && !this.lanes.hasLimits();
	}

	/** The ordinary ones among the lanes. */
	List<PoolLane> without(List<PoolLane> lanes) {
		return lanes.stream().filter((lane) -> !isApart(lane.head().lane())).toList();
	}

	/**
	 * Claims from those whose turn is before that of the ordinary ones. Their pools count
	 * as cut before the slots are counted: one that becomes free after that tells.
	 */
	List<ClaimedJob> claimUrgent(List<PoolLane> lanes) {
		this.exhausted.clear();
		lanes.stream().map(PoolLane::pool).forEach(this.exhausted::add);
		lanes.stream().filter((lane) -> isApart(lane.head().lane())).map(PoolLane::pool).forEach(this.cut::add);
		Map<String, Integer> slots = new LinkedHashMap<>();
		this.pools.each((pool) -> slots.put(pool.name(), pool.concurrency() - slots(pool, (job) -> isApart(job))));
		return claim(byTurn(lanes, true), slots);
	}

	/**
	 * Claims from the others for the slots that are idle.
	 * @param full the pools whose ordinary lanes gave as much as they were asked for and
	 * may have more: what such a pool has run meanwhile makes no slot idle
	 */
	List<ClaimedJob> claimRest(List<PoolLane> lanes, Set<String> full) {
		Map<String, Integer> slots = new LinkedHashMap<>();
		this.pools.each((pool) -> slots.put(pool.name(),
				full.contains(pool.name()) ? 0 : pool.concurrency() - slots(pool, (job) -> true)));
		List<ClaimedJob> jobs = claim(byTurn(lanes, false), slots);
		this.cut.removeAll(this.exhausted);
		return jobs;
	}

	/**
	 * Those that stand before the first ordinary lane of their pool that had jobs, or all
	 * others. Lanes stand in the order of their urgency, and in that of how long their
	 * first job has waited.
	 */
	private List<PoolLane> byTurn(List<PoolLane> lanes, boolean before) {
		List<PoolLane> chosen = new ArrayList<>();
		Set<String> behind = new HashSet<>();
		for (PoolLane lane : lanes) {
			if (!isApart(lane.head().lane())) {
				if (this.lanes.hadJobs(lane.head().lane())) {
					behind.add(lane.pool());
				}
			}
			else if (before != behind.contains(lane.pool())) {
				chosen.add(lane);
			}
		}
		return chosen;
	}

	/** Claims as many jobs as can run in so many slots. */
	private List<ClaimedJob> claim(List<PoolLane> apart, Map<String, Integer> slots) {
		apart.stream()
			.map(PoolLane::pool)
			.filter((pool) -> slots.getOrDefault(pool, 0) <= 0)
			.forEach(this.exhausted::remove);
		List<ClaimedJob> claimed = new ArrayList<>();
		for (Alike alike : alike(apart)) {
			List<PoolLane> own = alike.lanes.stream().filter((lane) -> slots.getOrDefault(lane.pool(), 0) > 0).toList();
			claimed.addAll(claim(own, slots, alike.kind.callSize, alike.kind.limited));
		}
		return claimed;
	}

	/**
	 * The lanes by what one statement can claim from, in their order: of one urgency, all
	 * lanes of a kind have the place of the first of them.
	 */
	private List<Alike> alike(List<PoolLane> lanes) {
		Map<Integer, Map<Kind, List<PoolLane>>> byUrgency = lanes.stream()
			.collect(Collectors.groupingBy((lane) -> lane.head().urgency(), LinkedHashMap::new, Collectors
				.groupingBy((lane) -> kind(lane.head().lane()), LinkedHashMap::new, Collectors.toList())));
		List<Alike> all = new ArrayList<>();
		byUrgency.values().forEach((kinds) -> kinds.forEach((kind, own) -> {
			if (all.isEmpty() || !all.get(all.size() - 1).kind.equals(kind)) {
				all.add(new Alike(kind, new ArrayList<>()));
			}
			all.get(all.size() - 1).lanes.addAll(own);
		}));
		return all;
	}

	private List<ClaimedJob> claim(List<PoolLane> lanes, Map<String, Integer> slots, int callSize, boolean limited) {
		List<PoolLane> ripe = ripe(lanes);
		if (ripe.isEmpty()) {
			return List.of();
		}
		Map<String, Integer> free = new LinkedHashMap<>();
		slots.forEach((pool, own) -> free.put(pool, Math.min(LatestClaim.MOST, Math.max(0, own) * callSize)));
		Claim claim = new Claim(this.workerId, free, ripe);
		List<ClaimedJob> jobs = limited ? claimLimited(claim) : this.intake.claim(claim).jobs();
		Map<String, Integer> taken = new HashMap<>();
		jobs.forEach((job) -> taken.merge(pool(job), 1, Integer::sum));
		ripe.stream()
			.map(PoolLane::pool)
			.filter((pool) -> taken.getOrDefault(pool, 0) >= free.getOrDefault(pool, 0))
			.forEach(this.exhausted::remove);
		taken.forEach((pool, own) -> slots.merge(pool, -((own + callSize - 1) / callSize), Integer::sum));
		return jobs;
	}

	private List<ClaimedJob> claimLimited(Claim claim) {
		LimitedClaim claimed = this.intake.claimLimited(claim);
		if (claimed.again() != null) {
			lookAgainAfter(claimed.again().plusNanos(ThreadLocalRandom.current().nextLong(MOST_JITTER_NANOS)));
		}
		return claimed.jobs();
	}

	/** Those that have a whole call, or a job that waits for no others any more. */
	private List<PoolLane> ripe(List<PoolLane> lanes) {
		List<GatheringLane> gathering = new ArrayList<>();
		for (PoolLane lane : lanes) {
			Coalescing how = this.coalescing.get(lane.head().lane().type());
			if (how != null && !how.maxWait().isZero()) {
				gathering.add(new GatheringLane(lane.head(), how.maxJobs(), how.maxWait()));
			}
		}
		if (gathering.isEmpty()) {
			return lanes;
		}
		RipeLanes ripe = this.store.ripe(gathering);
		if (ripe.next() != null) {
			lookAgainAfter(ripe.next());
		}
		return lanes.stream().filter((lane) -> !ripe.unripe().contains(lane.head().lane())).toList();
	}

	private void lookAgainAfter(Duration pause) {
		long at = System.nanoTime() + pause.toNanos();
		this.againAt = (this.againAt == null || at - this.againAt < 0) ? at : this.againAt;
	}

	private boolean isApart(Lane lane) {
		return this.coalescing.containsKey(lane.type()) || this.lanes.isLimited(lane);
	}

	private boolean isApart(ActiveJob job) {
		return this.coalescing.containsKey(job.type()) || this.lanes.isLimited(job.queue(), job.type());
	}

	private Kind kind(Lane lane) {
		Coalescing how = this.coalescing.get(lane.type());
		return new Kind((how != null) ? how.maxJobs() : 1, this.lanes.isLimited(lane));
	}

	/** How many slots jobs of a pool have or are going to have. */
	private static int slots(Pool pool, Predicate<ActiveJob> which) {
		return (int) pool.jobs().held().stream().filter((job) -> job.hasSlot() && which.test(job)).count();
	}

	private String pool(ClaimedJob job) {
		return this.pools.of(job.queue()).map(Pool::name).orElseThrow();
	}

	/**
	 * How lanes are claimed.
	 *
	 * @param callSize how many jobs run in one slot at most
	 * @param limited whether a limit of the cluster counts them
	 */
	private record Kind(int callSize, boolean limited) {

	}

	/** Lanes of one kind. */
	private record Alike(Kind kind, List<PoolLane> lanes) {

	}

}
