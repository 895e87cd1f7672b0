package io.pgqueue.engine.claim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

import io.pgqueue.engine.finish.Finisher;
import io.pgqueue.engine.finish.LeaseDatabase;
import io.pgqueue.engine.lease.Lease;
import io.pgqueue.engine.lease.LeaseStore;
import io.pgqueue.engine.lease.OutcomeStore;
import io.pgqueue.engine.slot.Demand;
import io.pgqueue.engine.slot.Pools;
import io.pgqueue.engine.support.JobLog;
import io.pgqueue.engine.support.Pace;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Releases jobs that are leased to this worker without its knowledge: a claim was
 * committed, but the connection broke before its answer arrived. No other worker would
 * touch them while this one is alive. Reading the leases also deletes the rows of claims
 * that have ended.
 */
public final class UnknownLeases {

	private static final Logger logger = JobLog.logger();

	/**
	 * More rarely while there are dead rows that cannot be removed: it reads them, too.
	 */
	private static final Duration EVERY = Duration.ofSeconds(10);

	private final LeaseStore held;

	private final OutcomeStore outcomes;

	private final long workerId;

	private final Pools pools;

	private final Finisher finisher;

	private final DirectStarts directStarts;

	private final Background<Leases> leases;

	private final Pace next = new Pace(EVERY);

	/**
	 * Whether the jobs have arrived that were leased before the leases were read;
	 * {@code null}: no leases were read.
	 */
	private @Nullable BooleanSupplier arrived;

	/**
	 * Creates it.
	 * @param directStarts the jobs that this process is enqueuing with a lease
	 * @param leases reads the leases in the background: there may be many dead rows
	 */
	public UnknownLeases(LeaseDatabase database, long workerId, Pools pools, Finisher finisher,
			DirectStarts directStarts, Background<Leases> leases) {
		this.held = database.leases();
		this.outcomes = database.outcomes();
		this.workerId = workerId;
		this.pools = pools;
		this.finisher = finisher;
		this.directStarts = directStarts;
		this.leases = leases;
	}

	/** The time until the next turn has something to do. */
	public Duration remaining() {
		return this.leases.isBusy() ? EVERY : this.next.remaining();
	}

	/**
	 * Compares leases that were read with the jobs that are known here, and has them read
	 * again when it is time to. To be called by the thread that claims.
	 */
	public void turn(ClaimLoop claims) throws InterruptedException {
		if (isReady(claims)) {
			release();
		}
		if (remaining().isZero()) {
			this.leases.begin(() -> {
				long begin = System.nanoTime();
				List<Lease> held = this.held.of(this.workerId);
				return new Leases(held, Duration.ofNanos(System.nanoTime() - begin));
			});
		}
	}

	/**
	 * Whether there are leases to compare. The background claims end first: what was
	 * leased before the leases were read has arrived then.
	 */
	boolean isReady(ClaimLoop claims) {
		if (!this.leases.isReady()) {
			return false;
		}
		if (this.arrived == null) {
			this.arrived = claims.endOfLeasing();
		}
		return this.arrived.getAsBoolean();
	}

	/**
	 * Releases what is not known here. If the leases could not be read, the next turn
	 * claims, and so finds out whether the database is back.
	 */
	void release() throws InterruptedException {
		this.arrived = null;
		this.next.next();
		Leases seen;
		try {
			seen = this.leases.take();
		}
		catch (RuntimeException ex) {
			this.pools.raise(Demand.Level.ANYWHERE);
			throw ex;
		}
		this.next.rest(seen.time());
		compare(seen.held());
	}

	private void compare(List<Lease> held) {
		List<Lease> unknown = new ArrayList<>(held);
		// jobs move from there to the pools
		Set<Lease> known = this.directStarts.leases();
		this.pools.each((pool) -> pool.jobs().held().forEach((job) -> known.add(job.job().lease())));
		known.addAll(this.finisher.unwritten()); // after the pools: jobs move this way
		unknown.removeAll(known);
		if (!unknown.isEmpty()) {
			release(unknown);
		}
	}

	private void release(List<Lease> unknown) {
		List<Long> released = this.outcomes.release(this.workerId, unknown);
		if (!released.isEmpty()) { // or they ended after the leases were read
			this.pools.raise(Demand.Level.ANYWHERE);
			logger.warn("Jobs {} were leased to worker {} by a claim whose answer was lost; they are queued again",
					released, this.workerId);
		}
	}

	/** What is leased to the worker, and how long it took to read that. */
	record Leases(List<Lease> held, Duration time) {

	}

}
