package io.pgqueue.engine.worker;

import java.time.Duration;
import java.util.List;

import io.pgqueue.engine.slot.Pool;

/**
 * What the worker of this process is doing, without asking the database.
 *
 * @param id the worker
 * @param heartbeatAge how long ago the database last took a heartbeat
 * @param notifications whether notifications of other processes arrive
 * @param pools its groups of slots
 */
public record WorkerStatus(long id, Duration heartbeatAge, NotificationStatus notifications, List<PoolStatus> pools) {

	/**
	 * One group of slots.
	 *
	 * @param name {@code queue mail} for a queue with slots of its own, or {@code *}
	 * @param slots how many jobs it runs at once
	 * @param running how many it runs
	 * @param prefetched how many wait for a slot
	 */
	public record PoolStatus(String name, int slots, int running, int prefetched) {

		static PoolStatus of(Pool pool) {
			int waiting = pool.jobs().waitingCount();
			int running = Math.max(0, pool.jobs().heldCount() - waiting);
			return new PoolStatus(pool.name(), pool.concurrency(), running, waiting);
		}

	}

}
