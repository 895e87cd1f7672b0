package io.rowqueue.engine.claim;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.lease.ReservedSlot;
import io.rowqueue.engine.slot.Pool;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.engine.support.JobLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Gives idle slots to jobs that this process is enqueuing. A slot is given only while the
 * worker knows of no job that waits for its pool, so that no more urgent job is passed.
 * Jobs whose number at once is limited, and jobs that run together, are claimed as usual.
 * Thread-safe.
 */
final class DirectStarts implements DirectStart.Slots {

	private static final Logger logger = JobLog.logger();

	/**
	 * A job whose transaction took longer is queued again: its type may have been paused
	 * meanwhile. Its reservation counts no more, in case nobody learns of its end.
	 */
	static final Duration MAX_TRANSACTION = Duration.ofSeconds(1);

	private final long workerId;

	private final Pools pools;

	private final ClaimExecutor claims;

	private final Set<String> types;

	private final Set<Reservation> reservations = ConcurrentHashMap.newKeySet();

	private volatile boolean closed;

	DirectStarts(long workerId, Pools pools, ClaimExecutor claims, Collection<String> types) {
		this.workerId = workerId;
		this.pools = pools;
		this.claims = claims;
		this.types = Set.copyOf(types);
	}

	@Override
	public @Nullable ReservedSlot reserve(String queue, String type) {
		Pool pool = this.types.contains(type) ? this.pools.of(queue).orElse(null) : null;
		if (pool == null || pool.demand().isThere() || this.claims.isBehind() || !isIdle(pool)) {
			return null;
		}
		Reservation reservation = new Reservation(pool);
		this.reservations.add(reservation);
		if (this.closed) { // after it was added: who closes looks for it
			reservation.release();
			return null;
		}
		return reservation;
	}

	/**
	 * Reserves no more slots.
	 * @return whether none is reserved
	 */
	boolean close() {
		this.closed = true;
		return this.reservations.isEmpty();
	}

	/** Reserves slots again. */
	void open() {
		this.closed = false;
	}

	/** Whether a slot is idle that is not reserved. */
	private boolean isIdle(Pool pool) {
		int idle = pool.jobs().idleSlots();
		return idle > 0 && pool.hasPlace()
				&& this.reservations.stream().filter((each) -> each.pool == pool && !each.isLate()).count() < idle;
	}

	/**
	 * The leases of jobs whose transactions are open, or were committed a moment ago. A
	 * lease leaves this set after the pool holds the job, or when the job is queued again
	 * in any case.
	 */
	Set<Lease> leases() {
		return this.reservations.stream()
			.filter((each) -> each.starting || !each.isLate())
			.map((each) -> each.job)
			.filter((job) -> job != null)
			.map(ClaimedJob::lease)
			.collect(Collectors.toSet());
	}

	/** Answers whether the statements have ended that are under way now. */
	BooleanSupplier endOfStatements() {
		List<Reservation> underWay = this.reservations.stream().filter(Reservation::isUnderWay).toList();
		return () -> underWay.stream().noneMatch(Reservation::isUnderWay);
	}

	private final class Reservation implements ReservedSlot {

		private final Pool pool;

		private volatile @Nullable ClaimedJob job;

		private final long reservedAt = System.nanoTime();

		private volatile boolean starting;

		private volatile boolean ended;

		Reservation(Pool pool) {
			this.pool = pool;
		}

		@Override
		public long workerId() {
			return DirectStarts.this.workerId;
		}

		@Override
		public void leased(ClaimedJob leased) {
			this.job = leased;
		}

		@Override
		public void start() {
			ClaimedJob leased = this.job;
			if (leased == null) {
				release();
				return;
			}
			this.starting = true;
			try {
				DirectStarts.this.claims.start(this.pool, leased, isLate());
			}
			catch (Throwable ex) { // the caller has committed
				logger.error("Job {} could not be started after its commit; it is queued again", leased.lease().jobId(),
						ex);
			}
			finally {
				release(); // or a lease that nobody runs would pass for a known one
			}
		}

		@Override
		public void release() {
			this.ended = true;
			DirectStarts.this.reservations.remove(this);
		}

		boolean isLate() {
			return System.nanoTime() - this.reservedAt > MAX_TRANSACTION.toNanos();
		}

		boolean isUnderWay() {
			return this.job == null && !this.ended;
		}

	}

}
