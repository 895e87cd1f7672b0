package io.rowqueue.engine.worker;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.rowqueue.engine.slot.Pool;
import io.rowqueue.engine.support.Times;

/**
 * What the worker of this process is doing, without asking the database; or its workers,
 * if it has several.
 *
 * @param id the worker, or the first one
 * @param heartbeatAge how long ago the database last took a heartbeat
 * @param notifications whether notifications of other processes arrive
 * @param idle whether it has nothing to do and lets the database sleep
 * @param pools its groups of slots
 */
public record WorkerStatus(long id, Duration heartbeatAge, NotificationStatus notifications, boolean idle,
		List<PoolStatus> pools) {

	/**
	 * This worker and another one of the process as one. Pools of the same name are added
	 * up.
	 */
	public WorkerStatus with(WorkerStatus other) {
		Map<String, PoolStatus> all = new LinkedHashMap<>();
		Stream.concat(this.pools.stream(), other.pools.stream())
			.forEach((pool) -> all.merge(pool.name(), pool, PoolStatus::with));
		return new WorkerStatus(this.id, Times.longer(this.heartbeatAge, other.heartbeatAge),
				(this.notifications.compareTo(other.notifications) > 0) ? this.notifications : other.notifications,
				this.idle && other.idle, List.copyOf(all.values()));
	}

	/**
	 * One group of slots.
	 *
	 * @param name {@code queue mail} for a queue with slots of its own, or {@code *}
	 * @param slots how many jobs it runs at once
	 * @param running how many it runs
	 * @param prefetched how many wait for a slot
	 */
	public record PoolStatus(String name, int slots, int running, int prefetched) {

		private PoolStatus with(PoolStatus other) {
			return new PoolStatus(this.name, this.slots + other.slots, this.running + other.running,
					this.prefetched + other.prefetched);
		}

		static PoolStatus of(Pool pool) {
			int waiting = pool.jobs().waitingCount();
			int running = Math.max(0, pool.jobs().heldCount() - waiting);
			return new PoolStatus(pool.name(), pool.concurrency(), running, waiting);
		}

	}

}
