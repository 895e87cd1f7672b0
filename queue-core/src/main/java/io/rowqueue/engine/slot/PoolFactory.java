package io.rowqueue.engine.slot;

import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Creates the pools of a worker. */
@FunctionalInterface
public interface PoolFactory {

	/** Pools whose slots belong to them alone. */
	PoolFactory OWN = (concurrency, queues, maxPrefetch, available, wake) -> new Pools(concurrency, queues,
			maxPrefetch);

	/**
	 * Creates the pools.
	 * @param concurrency how many jobs of all queues without slots of their own run at
	 * once
	 * @param queues how many jobs of each queue with slots of its own run at once
	 * @param maxPrefetch how many jobs a pool holds at most beyond those that run
	 * @param available whether the worker can claim jobs
	 * @param wake wakes the thread that claims for the worker; must return at once
	 */
	Pools create(int concurrency, Map<String, Integer> queues, int maxPrefetch, BooleanSupplier available,
			Runnable wake);

	/**
	 * Returns what creates the pools of those workers of the process that have a lease of
	 * their own.
	 */
	default PoolFactory of(Duration lease) {
		return this;
	}

}
