package io.pgqueue.store;

import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * What a worker says of itself when it registers.
 *
 * @param name for people: host and process
 * @param queues the queues that it works for
 * @param types the types that it can run
 * @param maxAttempts how often it tries jobs that do not say so themselves, by type
 * @param slots how many jobs it runs at once, by queue; {@code *}: all others together
 * @param typeLimits how many jobs it runs at once of types that have a limit, by type
 * @param declarations what its application declares, such as {@code schedule:report}
 */
public record WorkerIdentity(String name, Collection<String> queues, Collection<String> types,
		Map<String, Integer> maxAttempts, Map<String, Integer> slots, Map<String, Integer> typeLimits,
		Collection<String> declarations) {

	/** A worker that has nothing to say about numbers. */
	public WorkerIdentity(String name, Collection<String> queues, Collection<String> types) {
		this(name, queues, types, Map.of(), Map.of(), Map.of());
	}

	/** A worker whose application declares nothing. */
	public WorkerIdentity(String name, Collection<String> queues, Collection<String> types,
			Map<String, Integer> maxAttempts, Map<String, Integer> slots, Map<String, Integer> typeLimits) {
		this(name, queues, types, maxAttempts, slots, typeLimits, Set.of());
	}

}
