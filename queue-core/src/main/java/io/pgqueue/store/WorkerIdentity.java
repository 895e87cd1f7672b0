package io.pgqueue.store;

import java.util.Collection;
import java.util.Map;

/**
 * What a worker says of itself when it registers.
 *
 * @param name for people: host and process
 * @param queues the queues that it works for
 * @param types the types that it can run
 * @param maxAttempts how often it tries jobs that do not say so themselves, by type
 */
public record WorkerIdentity(String name, Collection<String> queues, Collection<String> types,
		Map<String, Integer> maxAttempts) {

	/** A worker that has nothing to say about attempts. */
	public WorkerIdentity(String name, Collection<String> queues, Collection<String> types) {
		this(name, queues, types, Map.of());
	}

}
