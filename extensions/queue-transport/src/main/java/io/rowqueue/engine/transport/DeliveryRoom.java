package io.rowqueue.engine.transport;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

import io.rowqueue.engine.slot.Pool;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.engine.support.Pace;

/**
 * How many jobs of one type to receive: as many as there is room for in the pools of the
 * jobs that were delivered last, because the next ones are probably for the same. The
 * broker delivers in its own order: a pool that has been full for longer than a job may
 * wait holds up the others no more, and its jobs are not kept for it. While only such
 * jobs come, they are received at intervals, so that most of them wait in the broker.
 * Used by one thread.
 */
final class DeliveryRoom {

	private final String type;

	private final Pools pools;

	private final Duration patience;

	private final LongSupplier nanoTime;

	/** Since when pools have had no room. */
	private final Map<Pool, Long> fullSince = new HashMap<>();

	/** When jobs are received although the latest ones were for full pools only. */
	private final Pace lookBeyond;

	/** The pools of the jobs that were delivered last; empty before the first ones. */
	private Collection<Pool> recent = List.of();

	/**
	 * Creates it.
	 * @param patience how long a job may wait for a pool
	 * @param nanoTime the clock
	 */
	DeliveryRoom(String type, Pools pools, Duration patience, LongSupplier nanoTime) {
		this.type = type;
		this.pools = pools;
		this.patience = patience;
		this.nanoTime = nanoTime;
		this.lookBeyond = Pace.dueNow(patience, nanoTime);
	}

	/** Returns how many jobs to receive now. */
	int jobs() {
		this.fullSince.keySet().removeIf((pool) -> room(pool) > 0);
		long now = this.nanoTime.getAsLong();
		this.recent.stream().filter((pool) -> room(pool) == 0).forEach((pool) -> this.fullSince.putIfAbsent(pool, now));
		if (!this.recent.stream().allMatch(this::isBlocked)) {
			return this.recent.stream().filter((pool) -> !isBlocked(pool)).mapToInt(this::room).min().orElse(0);
		}
		return this.lookBeyond.isDue() ? this.pools.all().mapToInt(this::room).max().orElse(0) : 0;
	}

	/** Whether a pool has been full for longer than a job may wait for it. */
	boolean isBlocked(Pool pool) {
		Long since = this.fullSince.get(pool);
		return since != null && this.nanoTime.getAsLong() - since >= this.patience.toNanos() && room(pool) == 0;
	}

	private int room(Pool pool) {
		int room = pool.roomToDeliver();
		if (room > 0 && pool.isAheadOf(this.type)) { // as many as run, and none ahead
			long held = pool.jobs()
				.held()
				.stream()
				.filter((job) -> this.type.equals(job.type()) && job.hasSlot())
				.count();
			room = Math.min(room, Math.max(0, pool.concurrency() - (int) held));
		}
		return room;
	}

	/**
	 * Jobs were delivered.
	 * @param reached the pools that have got some
	 * @param blocked the pools for which there were some that they have not got
	 */
	void delivered(Set<Pool> reached, Set<Pool> blocked) {
		if (reached.isEmpty() && blocked.isEmpty()) {
			return;
		}
		share(false);
		this.recent = reached.isEmpty() ? blocked : reached;
		if (reached.isEmpty()) {
			this.lookBeyond.next();
		}
		else {
			this.lookBeyond.hurry();
		}
	}

	/** Whether the broker has more jobs than there was room for. */
	void share(boolean more) {
		this.recent.forEach((pool) -> pool.share(more));
	}

}
