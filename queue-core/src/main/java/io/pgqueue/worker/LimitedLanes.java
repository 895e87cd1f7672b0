package io.pgqueue.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

import io.pgqueue.store.Claim;
import io.pgqueue.store.Claim.PoolLane;
import io.pgqueue.store.ClaimedJob;
import io.pgqueue.store.JobStore;
import io.pgqueue.store.LimitedClaim;
import org.jspecify.annotations.Nullable;

/**
 * Claims from lanes whose queue or type has a limit in the cluster. None of their jobs is
 * claimed ahead: one that waits here would keep a place from workers that could run it. A
 * pool holds as many as it has slots. Where more urgent lanes without limits have jobs,
 * they come after those and get the slots that are idle then. Used by the thread that
 * claims, except where it says otherwise.
 */
final class LimitedLanes {

	/** Two workers that want the same limit at the same time do not meet again. */
	private static final long MOST_JITTER_NANOS = 5_000_000;

	private final JobStore store;

	private final long workerId;

	private final Pools pools;

	private final Lanes lanes;

	private @Nullable Long againAt;

	private volatile boolean ended;

	LimitedLanes(JobStore store, long workerId, Pools pools, Lanes lanes) {
		this.store = store;
		this.workerId = workerId;
		this.pools = pools;
		this.lanes = lanes;
	}

	/** A job has ended; returns whether that made room for others. For any thread. */
	boolean ended(ActiveJob job) {
		if (!this.lanes.isLimited(job.queue(), job.type())) {
			return false;
		}
		this.ended = true;
		return true;
	}

	/** Whether there may be room where there was none. */
	boolean isDue() {
		return this.ended || (this.againAt != null && this.againAt - System.nanoTime() <= 0);
	}

	/** How long until there may be, if that is to come; never longer than that. */
	Duration pause(Duration longest) {
		Long again = this.againAt;
		long left = (again != null) ? again - System.nanoTime() : 0;
		return (left > 0 && left < longest.toNanos()) ? Duration.ofNanos(left) : longest;
	}

	/** Those of the lanes that have no limit. */
	List<PoolLane> without(List<PoolLane> lanes) {
		return lanes.stream().filter((lane) -> !this.lanes.isLimited(lane.head().lane())).toList();
	}

	/** Whether none of the lanes has a limit. */
	boolean isEmpty() {
		return !this.lanes.hasLimits();
	}

	/** Claims from limited lanes that have nothing more urgent beside them. */
	List<ClaimedJob> claimUrgent(List<PoolLane> lanes) {
		this.ended = false;
		this.againAt = null;
		Map<String, Integer> mostUrgent = mostUrgentWithoutLimit(lanes);
		Map<String, Integer> free = new LinkedHashMap<>();
		this.pools.each((pool) -> free.put(pool.name(), pool.concurrency() - held(pool)));
		return claim(lanes.stream()
			.filter((lane) -> lane.head().urgency() >= mostUrgent.getOrDefault(lane.pool(), Integer.MIN_VALUE))
			.toList(), free);
	}

	/** Claims from the other limited lanes for the slots that are idle. */
	List<ClaimedJob> claimRest(List<PoolLane> lanes, Map<String, Integer> claimed) {
		Map<String, Integer> mostUrgent = mostUrgentWithoutLimit(lanes);
		Map<String, Integer> free = new LinkedHashMap<>();
		this.pools.each((pool) -> free.put(pool.name(),
				pool.concurrency() - pool.jobs().size() - claimed.getOrDefault(pool.name(), 0)));
		return claim(lanes.stream()
			.filter((lane) -> lane.head().urgency() < mostUrgent.getOrDefault(lane.pool(), Integer.MIN_VALUE))
			.toList(), free);
	}

	private Map<String, Integer> mostUrgentWithoutLimit(List<PoolLane> lanes) {
		Map<String, Integer> mostUrgent = new HashMap<>();
		for (PoolLane lane : lanes) {
			if (!this.lanes.isLimited(lane.head().lane()) && this.lanes.hadJobs(lane.head().lane())) {
				mostUrgent.merge(lane.pool(), lane.head().urgency(), Math::max);
			}
		}
		return mostUrgent;
	}

	private List<ClaimedJob> claim(List<PoolLane> lanes, Map<String, Integer> free) {
		List<PoolLane> asked = new ArrayList<>();
		for (PoolLane lane : lanes) {
			if (this.lanes.isLimited(lane.head().lane()) && free.getOrDefault(lane.pool(), 0) > 0) {
				asked.add(lane);
			}
		}
		if (asked.isEmpty()) {
			return List.of();
		}
		LimitedClaim claimed = this.store.claimLimited(new Claim(this.workerId, free, asked));
		if (claimed.again() != null) {
			long at = System.nanoTime() + claimed.again().toNanos()
					+ ThreadLocalRandom.current().nextLong(MOST_JITTER_NANOS);
			this.againAt = (this.againAt == null || at - this.againAt < 0) ? at : this.againAt;
		}
		return claimed.jobs();
	}

	/** How many limited jobs a pool holds. */
	private int held(Pool pool) {
		return (int) pool.jobs().held().stream().filter((job) -> this.lanes.isLimited(job.queue(), job.type())).count();
	}

}
