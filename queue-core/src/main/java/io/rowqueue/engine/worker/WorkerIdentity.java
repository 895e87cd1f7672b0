package io.rowqueue.engine.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * What a worker says of itself when it registers.
 *
 * @param name for people: host and process
 * @param queues the queues that it works for
 * @param types the types that it can run
 * @param maxAttempts the number of attempts of jobs that do not define it, by type
 * @param slots how many jobs it runs at once, by queue; {@code *}: all others together
 * @param typeLimits how many jobs it runs at once of types that have a limit, by type
 * @param declarations what its application declares, such as {@code schedule:report}
 * @param lease how old its heartbeat may become before the others give it up
 * @param quiet whether it claims no jobs until it is resumed
 */
public record WorkerIdentity(String name, Collection<String> queues, Collection<String> types,
		Map<String, Integer> maxAttempts, Map<String, Integer> slots, Map<String, Integer> typeLimits,
		Collection<String> declarations, Duration lease, boolean quiet) {

	/** The lease of a worker that does not say another one. */
	public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

	/** A worker that has nothing to say about numbers. */
	public WorkerIdentity(String name, Collection<String> queues, Collection<String> types) {
		this(name, queues, types, Map.of(), Map.of(), Map.of());
	}

	/** A worker whose application declares nothing. */
	public WorkerIdentity(String name, Collection<String> queues, Collection<String> types,
			Map<String, Integer> maxAttempts, Map<String, Integer> slots, Map<String, Integer> typeLimits) {
		this(name, queues, types, maxAttempts, slots, typeLimits, Set.of());
	}

	/** A worker with the default lease. */
	public WorkerIdentity(String name, Collection<String> queues, Collection<String> types,
			Map<String, Integer> maxAttempts, Map<String, Integer> slots, Map<String, Integer> typeLimits,
			Collection<String> declarations) {
		this(name, queues, types, maxAttempts, slots, typeLimits, declarations, DEFAULT_LEASE, false);
	}

	/** The same worker with another lease. */
	public WorkerIdentity withLease(Duration lease) {
		return new WorkerIdentity(this.name, this.queues, this.types, this.maxAttempts, this.slots, this.typeLimits,
				this.declarations, lease, this.quiet);
	}

}
