package io.rowqueue.engine.worker;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.slot.Pools;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/**
 * How a worker works.
 *
 * @param concurrency how many jobs run at once of the queues that {@code queues} does not
 * name; 0: those are left to other workers
 * @param queues how many jobs run at once, by queue, for queues with slots of their own
 * @param prefetch how many jobs each group of slots may hold at most beyond those that
 * run; how many it does hold is learned from how long its jobs take
 * @param prefetchWait how long a job that was claimed ahead may wait for a slot; after
 * that it is released for other workers
 * @param maxAttempts the maximum number of attempts of a job that does not define it
 * @param pollInterval how long a worker that was not woken waits before it looks
 * @param idleInterval how long one that has nothing to do and is notified of jobs is
 * silent at most; zero: it is never idle
 * @param lease how long the others wait for a heartbeat before they give a worker up
 * @param shutdownTimeout how long running jobs may take to finish when the worker stops
 * @param aging how long a job waits beyond its deadline to count as one priority higher,
 * so that no priority waits for ever behind higher ones; {@code null}: priorities are
 * strict
 * @param maxPayloadSize the longest payload that the worker reads; a job with a longer
 * one fails permanently
 */
public record WorkerSettings(int concurrency, Map<String, Integer> queues, int prefetch, Duration prefetchWait,
		int maxAttempts, Duration pollInterval, Duration idleInterval, Duration lease, Duration shutdownTimeout,
		@Nullable Duration aging, DataSize maxPayloadSize) {

	/** The longest payload that a worker reads by default. */
	public static final DataSize DEFAULT_MAX_PAYLOAD_SIZE = DataSize.ofMegabytes(16);

	/** How long an idle worker is silent by default. */
	public static final Duration DEFAULT_IDLE_INTERVAL = Duration.ofMinutes(1);

	/** The shortest lease: heartbeats come every second, and a few may be late. */
	public static final Duration SHORTEST_LEASE = Duration.ofSeconds(5);

	/** The shortest aging: lanes are looked at about once a second. */
	public static final Duration SHORTEST_AGING = Duration.ofSeconds(1);

	/**
	 * How long a claimed job waits for a slot by default: a pool holds as many jobs as
	 * its slots run within a tenth of a second, so that one that has waited for this long
	 * will wait for longer.
	 */
	public static final Duration DEFAULT_PREFETCH_WAIT = Duration.ofSeconds(2);

	/** The shortest time: waiting jobs are looked at once a second. */
	public static final Duration SHORTEST_PREFETCH_WAIT = Duration.ofSeconds(1);

	/** Ten jobs at once of any queue. */
	public static final WorkerSettings DEFAULT = new WorkerSettings(10, Map.of(), 2000, DEFAULT_PREFETCH_WAIT, 10,
			Duration.ofSeconds(1), DEFAULT_IDLE_INTERVAL, WorkerIdentity.DEFAULT_LEASE, Duration.ofSeconds(20), null,
			DEFAULT_MAX_PAYLOAD_SIZE);

	/**
	 * Checks every value.
	 * @throws IllegalArgumentException naming the value that is wrong and what is allowed
	 */
	public WorkerSettings {
		Assert.isTrue(concurrency >= 0, () -> "concurrency must not be negative: " + concurrency);
		queues.forEach((queue, slots) -> Assert.isTrue(slots > 0,
				() -> "queues." + queue + ".concurrency must be positive, not " + slots));
		Assert.isTrue(prefetch >= 0, () -> "prefetch must not be negative: " + prefetch);
		Assert.isTrue(prefetchWait.compareTo(SHORTEST_PREFETCH_WAIT) >= 0,
				() -> "prefetchWait must be a second or longer, not " + prefetchWait);
		Assert.isTrue(maxAttempts > 0 && maxAttempts <= Short.MAX_VALUE,
				() -> "maxAttempts must be from 1 to 32767, not " + maxAttempts);
		Assert.isTrue(pollInterval.toMillis() > 0,
				() -> "pollInterval must be a millisecond or longer, not " + pollInterval);
		Assert.isTrue(idleInterval.isZero() || idleInterval.compareTo(Heartbeat.INTERVAL) >= 0,
				() -> "idleInterval must be 0 or a second or longer, not " + idleInterval);
		Assert.isTrue(lease.compareTo(SHORTEST_LEASE) >= 0, () -> "lease must be 5 seconds or longer, not " + lease);
		Assert.isTrue(!shutdownTimeout.isNegative(), () -> "shutdownTimeout must not be negative: " + shutdownTimeout);
		Assert.isTrue(aging == null || aging.compareTo(SHORTEST_AGING) >= 0,
				() -> "aging must be a second or longer, not " + aging);
		Assert.isTrue(maxPayloadSize.toBytes() > 0, () -> "maxPayloadSize must be positive, not " + maxPayloadSize);
		queues = Map.copyOf(queues);
	}

	/**
	 * The same settings with other numbers of slots.
	 * @param slots how many jobs run at once, by queue; {@code *}: all others together
	 */
	WorkerSettings withSlots(Map<String, Integer> slots) {
		Map<String, Integer> named = new HashMap<>(slots);
		Integer others = named.remove(Pools.OTHERS);
		return new WorkerSettings((others != null) ? others : 0, named, this.prefetch, this.prefetchWait,
				this.maxAttempts, this.pollInterval, this.idleInterval, this.lease, this.shutdownTimeout, this.aging,
				this.maxPayloadSize);
	}

	/** The same settings for a worker that is never idle. */
	public WorkerSettings neverIdle() {
		return new WorkerSettings(this.concurrency, this.queues, this.prefetch, this.prefetchWait, this.maxAttempts,
				this.pollInterval, Duration.ZERO, this.lease, this.shutdownTimeout, this.aging, this.maxPayloadSize);
	}

	/** The same settings with another lease. */
	public WorkerSettings withLease(Duration lease) {
		return new WorkerSettings(this.concurrency, this.queues, this.prefetch, this.prefetchWait, this.maxAttempts,
				this.pollInterval, this.idleInterval, lease, this.shutdownTimeout, this.aging, this.maxPayloadSize);
	}

	/**
	 * The same settings for a worker that runs some types alone: it works for the same
	 * queues, none of which has slots of its own if it works for all.
	 * @param slots how many jobs run at once
	 */
	public WorkerSettings withSlots(int slots) {
		if (this.concurrency > 0) {
			return withSlots(Map.of(Pools.OTHERS, slots));
		}
		Map<String, Integer> named = new HashMap<>(this.queues);
		named.replaceAll((queue, others) -> slots);
		return withSlots(named);
	}

	/** Whether it can run jobs at all. */
	public boolean hasSlots() {
		return this.concurrency > 0 || !this.queues.isEmpty();
	}

	/**
	 * Returns the names of the queues that the application knows. Names that callers make
	 * up must not displace them in meters.
	 */
	public Set<String> queueNames() {
		Set<String> names = new LinkedHashSet<>(this.queues.keySet());
		names.add(JobRequest.DEFAULT_QUEUE);
		return names;
	}

}
