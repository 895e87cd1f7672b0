package io.rowqueue.engine.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;

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

}
