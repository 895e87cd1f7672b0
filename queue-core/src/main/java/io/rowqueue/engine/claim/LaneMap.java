package io.rowqueue.engine.claim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Lane;
import io.rowqueue.engine.lease.LaneHead;
import io.rowqueue.engine.lease.LaneStore;
import io.rowqueue.engine.lease.Sweep;
import io.rowqueue.engine.slot.Pool;
import io.rowqueue.engine.slot.Pools;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that this worker reads and where each begins, as the latest sweep found them.
 * Lanes that have become empty are remembered for a while, so that a new job in them is
 * claimed without another sweep. Used by one thread, except where it says otherwise.
 */
public final class LaneMap {

	/**
	 * How often the marks follow the claims: to walk over few dead entries is cheaper.
	 */
	private static final Duration ADVANCE_EVERY = Duration.ofMillis(20);

	private static final int MAX_EMPTY_LANES = 100;

	/**
	 * How many plain lanes a claim reads at most: as many as it brings jobs, so that it
	 * is full even if each lane has a single one.
	 */
	static final int MAX_LANES_PER_CLAIM = Pool.MAX_JOBS_PER_CLAIM;

	private static final Comparator<LaneHead> BY_URGENCY = Comparator.comparing(LaneHead::urgency,
			Comparator.reverseOrder());

	private final LaneStore store;

	private final Set<String> types;

	private final Duration aging;

	/** The most urgent lane first. */
	private Map<Lane, LaneHead> heads = new LinkedHashMap<>();

	private volatile Map<Lane, Integer> aged = Map.of();

	/** The lanes that had jobs to claim when they were swept. */
	private Set<Lane> found = Set.of();

	/** Whether the latest sweep found any, be they closed or not. */
	private boolean hasJobs = true;

	private volatile Set<String> limited = Set.of();

	private long advancedAt = System.nanoTime();

	private final SweepPace pace = new SweepPace();

	/**
	 * Creates the lanes.
	 * @param aging how long a job waits beyond its deadline to count as one priority
	 * higher; zero: priorities are strict
	 */
	public LaneMap(LaneStore store, Set<String> types, Duration aging) {
		this.store = store;
		this.types = types;
		this.aging = aging;
	}

	/** How often the lanes are swept. */
	SweepPace pace() {
		return this.pace;
	}

	/** Looks at all lanes of the database. */
	void sweep() {
		take(look());
	}

	/** Looks at all lanes of the database and changes nothing here; for any thread. */
	Look look() {
		long begin = System.nanoTime();
		Sweep sweep = this.store.sweep(this.aging);
		return new Look(sweep, System.nanoTime() - begin);
	}

	/** Takes over what a look has found. */
	void take(Look look) {
		Sweep sweep = look.sweep();
		this.pace.swept(look.nanos());
		Map<Lane, LaneHead> found = new LinkedHashMap<>();
		sweep.heads()
			.stream()
			.filter((head) -> this.types.contains(head.lane().type()))
			.forEach((head) -> found.put(head.lane(), head));
		this.limited = sweep.limited();
		this.hasJobs = !found.isEmpty();
		this.found = found.keySet()
			.stream()
			.filter((lane) -> !sweep.isClosed(lane))
			.collect(Collectors.toUnmodifiableSet());
		int maxLanes = found.size() + MAX_EMPTY_LANES;
		for (LaneHead head : this.heads.values()) {
			if (found.size() < maxLanes) {
				found.putIfAbsent(head.lane(), new LaneHead(head.lane(), sweep.mark()));
			}
		}
		List<LaneHead> sorted = new ArrayList<>(found.values());
		sorted.sort(BY_URGENCY); // stable: of one urgency, the longest waiting first
		this.heads = new LinkedHashMap<>();
		sorted.forEach((head) -> this.heads.put(head.lane(), head));
		this.aged = sorted.stream()
			.filter((head) -> head.urgency() != head.lane().priority())
			.collect(Collectors.toMap(LaneHead::lane, LaneHead::urgency));
	}

	/** How often the lanes have been swept. */
	int sweeps() {
		return this.pace.sweeps();
	}

	/** Whether any queue or type has a limit in the cluster; for any thread. */
	boolean hasLimits() {
		return !this.limited.isEmpty();
	}

	/** Whether the lane's queue or type has one. */
	boolean isLimited(Lane lane) {
		return Sweep.name(this.limited, lane);
	}

	/** Whether the queue or type has one; for any thread. */
	boolean isLimited(String queue, String type) {
		return hasLimits() && Sweep.name(this.limited, new Lane(queue, type, 0));
	}

	/** Whether no lane had jobs to claim when they were swept. */
	boolean areEmpty() {
		return this.found.isEmpty();
	}

	/** Whether the lane had jobs to claim when it was swept. */
	boolean hadJobs(Lane lane) {
		return this.found.contains(lane);
	}

	/**
	 * Moves the marks up to what was claimed. While dead rows make sweeps slow and rare,
	 * claims would walk over all that was claimed since the latest one. Whatever a claim
	 * is limited by, it takes the first jobs of a lane: those that it leaves come after,
	 * or are left to the claim that follows the next sweep.
	 */
	void claimed(Collection<ClaimedJob> jobs) {
		long now = System.nanoTime();
		if (now - this.advancedAt < ADVANCE_EVERY.toNanos()) {
			return;
		}
		this.advancedAt = now;
		Map<Lane, Long> marks = new HashMap<>();
		jobs.forEach((job) -> marks.merge(lane(job), job.mark(), Math::min));
		marks.forEach((lane, mark) -> this.heads.computeIfPresent(lane, (same, head) -> head.at(mark)));
	}

	private static Lane lane(ClaimedJob job) {
		return new Lane(job.queue(), job.type(), job.priority());
	}

	/**
	 * The priority of a claimed job, and what its lane has gained by waiting; for any
	 * thread.
	 */
	int urgency(ClaimedJob job) {
		Map<Lane, Integer> known = this.aged;
		return known.isEmpty() ? job.priority() : known.getOrDefault(lane(job), job.priority());
	}

	/**
	 * The lanes of these pools, the most urgent first: all of them, or the first
	 * {@value #MAX_LANES_PER_CLAIM} plain ones and all others, whose jobs may be limited
	 * together.
	 * @param kind how a lane is claimed; {@code null}: all lanes are plain
	 * @param without types to leave out
	 */
	Part of(Collection<Pool> pools, Pools all, @Nullable Function<Lane, LaneKind> kind, Set<String> without) {
		List<PoolLane> lanes = new ArrayList<>();
		int plain = 0;
		boolean more = false;
		for (LaneHead head : this.heads.values()) {
			Optional<Pool> pool = all.of(head.lane().queue()).filter(pools::contains);
			if (pool.isEmpty() || without.contains(head.lane().type())) {
				continue;
			}
			boolean isPlain = kind == null || kind.apply(head.lane()).isPlain();
			if (isPlain && plain == MAX_LANES_PER_CLAIM) {
				more = true;
				if (kind == null) {
					break;
				}
				continue;
			}
			plain += isPlain ? 1 : 0;
			lanes.add(new PoolLane(pool.get().name(), head));
		}
		return new Part(lanes, more);
	}

	/** Whether the latest sweep found jobs, also those that may not be claimed yet. */
	boolean hasJobs() {
		return this.hasJobs;
	}

	/** Forgets lanes until the next sweep finds them; returns whether there were any. */
	boolean leaveOut(Set<Lane> lanes) {
		return this.heads.keySet().removeAll(lanes);
	}

	/**
	 * Lanes that a claim can read.
	 *
	 * @param lanes the most urgent first
	 * @param more whether there are more plain lanes
	 */
	record Part(List<PoolLane> lanes, boolean more) {

	}

	/** What a look has found, and how long it took. */
	record Look(Sweep sweep, long nanos) {

	}

}
