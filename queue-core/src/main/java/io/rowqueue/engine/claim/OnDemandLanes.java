package io.rowqueue.engine.claim;

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
import java.util.function.Function;
import java.util.function.Predicate;

import io.rowqueue.Coalescing;
import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.claim.ClaimPlan.Stage;
import io.rowqueue.engine.lease.Claim;
import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.lease.ClaimStore.LimitedClaim;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Lane;
import io.rowqueue.engine.lease.LaneStore;
import io.rowqueue.engine.lease.LaneStore.GatheringLane;
import io.rowqueue.engine.lease.LaneStore.RipeLanes;
import io.rowqueue.engine.slot.Pool;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.engine.support.Times;
import org.jspecify.annotations.Nullable;

/**
 * Claims from the lanes whose jobs are claimed for an idle slot only and never
 * prefetched: those whose queue or type has a limit in the cluster, since a job that
 * waits here would keep a place from workers that could run it, and those whose jobs one
 * call runs together, since others could still join a job that waits. Used by the thread
 * that claims, except where it says otherwise.
 */
final class OnDemandLanes {

	/** Keeps two workers that want the same limit from meeting again at the same time. */
	private static final long MAX_JITTER_NANOS = 5_000_000;

	private final LaneStore store;

	private final ClaimExecutor claims;

	private final long workerId;

	private final Pools pools;

	private final LaneMap lanes;

	private final Map<String, Coalescing> coalescing;

	/** When there may be jobs again; {@code null}: no time is known. */
	private @Nullable Long againAt;

	/** Whether a job of a lane with a limit has ended. */
	private volatile boolean ended;

	/** The pools whose on-demand lanes may have more jobs than there were slots for. */
	private final Set<String> poolsWithMore = ConcurrentHashMap.newKeySet();

	/** The pools whose on-demand lanes have no more, as far as this turn knows. */
	private final Set<String> readToEnd = new HashSet<>();

	/**
	 * Creates them.
	 * @param coalescing the types whose jobs are run together
	 */
	OnDemandLanes(LaneStore store, ClaimExecutor claims, long workerId, Pools pools, LaneMap lanes,
			Map<String, Coalescing> coalescing) {
		this.store = store;
		this.claims = claims;
		this.workerId = workerId;
		this.pools = pools;
		this.lanes = lanes;
		this.coalescing = Map.copyOf(coalescing);
	}

	/** How the jobs of a lane are claimed. */
	LaneKind kind(Lane lane) {
		if (isEmpty()) {
			return LaneKind.PLAIN;
		}
		Coalescing how = this.coalescing.get(lane.type());
		boolean limited = this.lanes.isLimited(lane);
		return (how == null && !limited) ? LaneKind.PLAIN : new LaneKind((how != null) ? how.maxJobs() : 1, limited);
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
	boolean mayHaveMore(Pool pool) {
		return !this.poolsWithMore.isEmpty() && !isEmpty() && this.poolsWithMore.contains(pool.name());
	}

	/** Returns true once for each time when there may be jobs where there were none. */
	boolean isDue() {
		boolean again = this.againAt != null && this.againAt - System.nanoTime() <= 0;
		boolean room = this.ended;
		if (room) { // or a job that ends just now would be forgotten
			this.ended = false;
		}
		this.againAt = again ? null : this.againAt;
		return room || again;
	}

	/** The time until there may be jobs again, at most {@code longest}. */
	Duration pause(Duration longest) {
		if (this.againAt == null) {
			return longest;
		}
		Duration left = Duration.ofNanos(Math.max(0, this.againAt - System.nanoTime()));
		return Times.shorter(longest, left);
	}

	/** Whether there can be none. */
	boolean isEmpty() {
		return this.coalescing.isEmpty() && !this.lanes.hasLimits();
	}

	/**
	 * Executes the claims of a plan.
	 * @param room how many jobs to claim, by pool
	 * @param plainClaim claims from plain lanes with one statement
	 */
	List<ClaimedJob> claim(ClaimPlan plan, Map<String, Integer> room, Function<Claim, List<ClaimedJob>> plainClaim) {
		List<ClaimedJob> jobs = new ArrayList<>(claimFirst(plan, room));
		Map<String, Integer> left = new LinkedHashMap<>(room);
		subtract(jobs, left);
		List<ClaimedJob> plain = plainClaim.apply(new Claim(this.workerId, left, plan.plain()));
		jobs.addAll(plain);
		subtract(plain, left);
		Set<String> full = new HashSet<>(left.keySet());
		full.removeIf((pool) -> left.getOrDefault(pool, 0) > 0);
		jobs.addAll(claimLast(plan, full));
		return jobs;
	}

	private void subtract(List<ClaimedJob> jobs, Map<String, Integer> left) {
		this.pools.byPool(jobs)
			.forEach((pool, own) -> left.computeIfPresent(pool.name(), (name, room) -> Math.max(0, room - own.size())));
	}

	/**
	 * Claims what is planned before the plain lanes: for slots that are idle or become
	 * free soon. The pools count as having more before the slots are counted: a slot that
	 * becomes free after the count is noticed.
	 * @param room how many jobs to claim, by pool
	 */
	List<ClaimedJob> claimFirst(ClaimPlan plan, Map<String, Integer> room) {
		Set<String> own = plan.onDemandPools();
		this.poolsWithMore.addAll(own);
		this.readToEnd.clear();
		this.readToEnd.addAll(own);
		plan.plain().forEach((lane) -> this.readToEnd.add(lane.pool()));
		Map<String, Integer> slots = new LinkedHashMap<>();
		this.pools.each((pool) -> slots.put(pool.name(), Math.min(room.getOrDefault(pool.name(), 0),
				pool.concurrency() - slots(pool, (job) -> isOnDemand(job) || pool.isHeldForLong(job)))));
		return claim(plan.before(), slots);
	}

	/**
	 * Claims what is planned after the plain lanes, for the slots that are idle.
	 * @param full the pools whose plain lanes filled them and may have more: their slots
	 * are not idle, whatever they have run meanwhile
	 */
	private List<ClaimedJob> claimLast(ClaimPlan plan, Set<String> full) {
		Map<String, Integer> slots = new LinkedHashMap<>();
		this.pools.each((pool) -> slots.put(pool.name(),
				full.contains(pool.name()) ? 0 : pool.concurrency() - slots(pool, (job) -> true)));
		List<ClaimedJob> jobs = claim(plan.after(), slots);
		this.poolsWithMore.removeAll(this.readToEnd);
		return jobs;
	}

	/** Claims as many jobs as can run in the slots. */
	private List<ClaimedJob> claim(List<Stage> stages, Map<String, Integer> slots) {
		stages.stream()
			.flatMap((stage) -> stage.lanes().stream())
			.map(PoolLane::pool)
			.filter((pool) -> slots.getOrDefault(pool, 0) <= 0)
			.forEach(this.readToEnd::remove);
		List<ClaimedJob> claimed = new ArrayList<>();
		for (Stage stage : stages) {
			List<PoolLane> own = stage.lanes()
				.stream()
				.filter((lane) -> slots.getOrDefault(lane.pool(), 0) > 0)
				.toList();
			claimed.addAll(claim(ripe(own), slots, stage.kind()));
		}
		return claimed;
	}

	private List<ClaimedJob> claim(List<PoolLane> lanes, Map<String, Integer> slots, LaneKind kind) {
		if (lanes.isEmpty()) {
			return List.of();
		}
		Map<String, Integer> room = new LinkedHashMap<>();
		slots.forEach(
				(pool, own) -> room.put(pool, Math.min(Pool.MAX_JOBS_PER_CLAIM, Math.max(0, own) * kind.callSize())));
		Claim claim = new Claim(this.workerId, room, lanes);
		List<ClaimedJob> jobs = kind.limited() ? claimLimited(claim) : this.claims.claim(claim).jobs();
		Map<String, Integer> taken = new HashMap<>();
		this.pools.byPool(jobs).forEach((pool, own) -> taken.put(pool.name(), own.size()));
		lanes.stream()
			.map(PoolLane::pool)
			.filter((pool) -> taken.getOrDefault(pool, 0) >= room.getOrDefault(pool, 0))
			.forEach(this.readToEnd::remove);
		taken.forEach((pool, own) -> slots.merge(pool, -((own + kind.callSize() - 1) / kind.callSize()), Integer::sum));
		return jobs;
	}

	private List<ClaimedJob> claimLimited(Claim claim) {
		LimitedClaim claimed = this.claims.claimLimited(claim);
		if (claimed.again() != null) {
			lookAgainAfter(claimed.again().plusNanos(ThreadLocalRandom.current().nextLong(MAX_JITTER_NANOS)));
		}
		return claimed.jobs();
	}

	/**
	 * The lanes that have a whole call, or a job that has waited long enough for others.
	 */
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

	boolean isOnDemand(ActiveJob job) {
		return this.coalescing.containsKey(job.type()) || this.lanes.isLimited(job.queue(), job.type());
	}

	/** How many slots the jobs of a pool have or are going to have. */
	private static int slots(Pool pool, Predicate<ActiveJob> which) {
		return (int) pool.jobs().held().stream().filter((job) -> job.hasSlot() && which.test(job)).count();
	}

}
