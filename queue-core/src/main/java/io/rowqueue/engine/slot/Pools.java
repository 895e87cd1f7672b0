package io.rowqueue.engine.slot;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.support.QueueClass;
import org.jspecify.annotations.Nullable;

/** The pools of a worker: one for each queue with slots of its own, one for the rest. */
public final class Pools {

	/** Stands for all queues without slots of their own. */
	public static final String OTHERS = "*";

	private final Map<String, Pool> named = new LinkedHashMap<>();

	private final @Nullable Pool others;

	/**
	 * Creates the pools.
	 * @param concurrency how many jobs of all queues without slots of their own run at
	 * once
	 * @param queues how many jobs of each queue with slots of its own run at once
	 * @param maxPrefetch how many jobs a pool holds at most beyond those that run
	 */
	public Pools(int concurrency, Map<String, Integer> queues, int maxPrefetch) {
		this(concurrency, queues, maxPrefetch, (pool, slots) -> SlotShare.own(slots));
	}

	/**
	 * Creates pools that may share their slots.
	 * @param shares returns the slots that a pool may use, by its name and number of
	 * slots
	 */
	public Pools(int concurrency, Map<String, Integer> queues, int maxPrefetch,
			BiFunction<String, Integer, SlotShare> shares) {
		new TreeMap<>(queues)
			.forEach((queue, slots) -> this.named.put(queue, pool("queue " + queue, slots, maxPrefetch, shares)));
		this.others = (concurrency > 0) ? pool(OTHERS, concurrency, maxPrefetch, shares) : null;
	}

	private static Pool pool(String name, int slots, int maxPrefetch, BiFunction<String, Integer, SlotShare> shares) {
		SlotShare share = shares.apply(name, slots);
		Pool pool = new Pool(name, slots, maxPrefetch, share);
		share.serve(pool);
		return pool;
	}

	/** The pool that runs the jobs of a queue, if this worker has one. */
	public Optional<Pool> of(String queue) {
		return Optional.ofNullable(this.named.getOrDefault(queue, this.others));
	}

	/** Jobs of queues that this worker has pools for, by pool. */
	public Map<Pool, List<ClaimedJob>> byPool(List<ClaimedJob> jobs) {
		if (this.named.isEmpty() && this.others != null && !jobs.isEmpty()) {
			return Map.of(this.others, jobs); // as in most workers
		}
		return jobs.stream().collect(Collectors.groupingBy((job) -> of(job.queue()).orElseThrow()));
	}

	/** The names of the queues that are worked for. */
	public List<String> queues() {
		List<String> queues = new ArrayList<>(this.named.keySet());
		if (this.others != null) {
			queues.add(OTHERS);
		}
		return queues;
	}

	/** How many jobs run at once, by queue; {@value #OTHERS}: all others together. */
	public Map<String, Integer> slots() {
		Map<String, Integer> slots = new LinkedHashMap<>();
		this.named.forEach((queue, pool) -> slots.put(queue, pool.concurrency()));
		if (this.others != null) {
			slots.put(OTHERS, this.others.concurrency());
		}
		return slots;
	}

	/**
	 * Changes the number of slots of pools.
	 * @param slots how many jobs run at once, by queue; others than those that have a
	 * pool are ignored
	 * @return the numbers that have changed
	 */
	public Map<String, Integer> resize(Map<String, Integer> slots) {
		Map<String, Integer> changed = new TreeMap<>(slots);
		changed.entrySet().removeAll(slots().entrySet());
		changed.keySet().retainAll(queues());
		changed.forEach((queue, wanted) -> of(queue).ifPresent((pool) -> pool.resize(wanted)));
		return changed;
	}

	public Stream<Pool> all() {
		return Stream.concat(this.named.values().stream(), Stream.ofNullable(this.others));
	}

	public void each(Consumer<Pool> action) {
		all().forEach(action);
	}

	/**
	 * The worker has claimed what it could: others may use slots that it does not need.
	 */
	public void claimed() {
		each(Pool::claimed);
	}

	/** The worker has ended: others may use its slots. */
	public void leave() {
		each(Pool::leave);
		claimed();
	}

	/** Whether the worker claims no more jobs. */
	public boolean isQuiet() {
		return all().allMatch(Pool::isQuiet);
	}

	/** The jobs that run now. */
	public List<ActiveJob> running() {
		return all().flatMap((pool) -> pool.jobs().running().stream()).toList();
	}

	/** Waits until nothing runs; returns whether that came true in time. */
	public boolean awaitIdle(Duration timeout) throws InterruptedException {
		long deadline = System.nanoTime() + timeout.toNanos();
		for (Pool pool : all().toList()) {
			Duration left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
			if (!pool.jobs().awaitIdle(left)) {
				return false;
			}
		}
		return true;
	}

	/** How many jobs are held of each of these types; those of one call count as one. */
	public Map<String, Integer> heldByType(Set<String> types) {
		Map<String, Integer> held = new HashMap<>();
		each((pool) -> pool.jobs()
			.held()
			.stream()
			.filter((job) -> types.contains(job.type()) && job.hasSlot())
			.forEach((job) -> held.merge(job.type(), 1, Integer::sum)));
		return held;
	}

	/** There may be jobs for any pool. */
	public void raise(Demand.Level level) {
		each((pool) -> pool.demand().raise(level));
	}

	/** There may be jobs on these queues, or on any queue of these classes. */
	public void raise(Demand.Level level, Collection<String> queues) {
		for (String queue : queues) {
			if (QueueClass.is(queue)) {
				raise(level);
			}
			of(queue).ifPresent((pool) -> pool.demand().raise(level));
		}
	}

	/** How many jobs a claim may bring now, for each pool that has demand and room. */
	public Map<Pool, Integer> roomWhereDemandIs() {
		Map<Pool, Integer> rooms = new LinkedHashMap<>();
		each((pool) -> {
			int room = pool.demand().isThere() ? pool.roomToClaim() : 0;
			if (room > 0) {
				rooms.put(pool, room);
			}
		});
		return rooms;
	}

	/**
	 * Reserves places for the jobs of a claim: meanwhile a job that was enqueued with its
	 * lease may have taken one. A pool without places keeps its demand.
	 * @param room how many jobs the claim may bring, by pool
	 * @return the places, for the pools that have any
	 */
	public static Map<Pool, Integer> reserve(Map<Pool, Integer> room) {
		Map<Pool, Integer> places = new LinkedHashMap<>();
		room.forEach((pool, maxJobs) -> {
			int jobs = pool.reserve(maxJobs);
			if (jobs > 0) {
				places.put(pool, jobs);
			}
			else {
				pool.demand().raise(Demand.Level.ANYWHERE);
			}
		});
		return places;
	}

	/** Releases places that were reserved. */
	public static void release(Map<Pool, Integer> places) {
		places.forEach((pool, jobs) -> pool.jobs().releasePlaces(jobs));
	}

	@Override
	public String toString() {
		String others = (all().count() > 1) ? "all other queues" : "all queues";
		return all()
			.map((pool) -> pool.concurrency() + " slots of "
					+ (pool.name().equals(OTHERS) ? others : "the " + pool.name()))
			.collect(Collectors.joining(", "));
	}

}
