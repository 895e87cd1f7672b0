package io.rowqueue.testing;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

import io.rowqueue.engine.worker.WorkerIdentity;

/** What workers of tests say of themselves. */
public final class WorkerIdentities {

	private WorkerIdentities() {
	}

	public static WorkerIdentity of(String name, Collection<String> queues, Collection<String> types) {
		return of(name, queues, types, Map.of(), Map.of(), Map.of());
	}

	public static WorkerIdentity of(String name, Collection<String> queues, Collection<String> types,
			Map<String, Integer> maxAttempts, Map<String, Integer> slots, Map<String, Integer> typeLimits) {
		return of(name, queues, types, maxAttempts, slots, typeLimits, Set.of());
	}

	public static WorkerIdentity of(String name, Collection<String> queues, Collection<String> types,
			Map<String, Integer> maxAttempts, Map<String, Integer> slots, Map<String, Integer> typeLimits,
			Collection<String> declarations) {
		return new WorkerIdentity(name, queues, types, maxAttempts, slots, typeLimits, declarations,
				WorkerIdentity.DEFAULT_LEASE, false);
	}

	/** The same worker with another lease. */
	public static WorkerIdentity withLease(WorkerIdentity worker, Duration lease) {
		return new WorkerIdentity(worker.name(), worker.queues(), worker.types(), worker.maxAttempts(), worker.slots(),
				worker.typeLimits(), worker.declarations(), lease, worker.quiet());
	}

}
