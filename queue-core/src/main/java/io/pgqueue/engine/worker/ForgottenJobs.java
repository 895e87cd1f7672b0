package io.pgqueue.engine.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

import io.pgqueue.engine.lease.Lease;
import io.pgqueue.engine.lease.LeaseStore;
import io.pgqueue.engine.lease.OutcomeStore;
import io.pgqueue.engine.support.JobLog;
import io.pgqueue.engine.support.Pace;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Hands back jobs that are leased to this worker and that it knows nothing of: a claim
 * was committed, but the connection broke before its answer arrived. Nobody else would
 * ever touch them while this worker lives. To look for them also drops what is left of
 * claims that are over.
 */
final class ForgottenJobs {

	private static final Logger logger = JobLog.logger();

	/** Dead rows that cannot be removed are looked at as well: then it is less often. */
	private static final Duration EVERY = Duration.ofSeconds(10);

	private final LeaseStore held;

	private final OutcomeStore outcomes;

	private final long workerId;

	private final Pools pools;

	private final Finisher finisher;

	private final Aside<Leases> leases;

	private final Pace next = new Pace(EVERY);

	/**
	 * Whether what was leased before the look has arrived; {@code null}: none is done.
	 */
	private @Nullable BooleanSupplier arrived;

	/**
	 * Creates it.
	 * @param leases reads the leases beside the claims: it may have to look at many dead
	 * rows
	 */
	ForgottenJobs(LeaseDatabase database, long workerId, Pools pools, Finisher finisher, Aside<Leases> leases) {
		this.held = database.leases();
		this.outcomes = database.outcomes();
		this.workerId = workerId;
		this.pools = pools;
		this.finisher = finisher;
		this.leases = leases;
	}

	/** The time until it is to look again. */
	Duration remaining() {
		return this.leases.isBusy() ? EVERY : this.next.remaining();
	}

	/** Begins to look, if it is time to. */
	void look() {
		if (remaining().isZero()) {
			this.leases.begin(() -> {
				long begin = System.nanoTime();
				List<Lease> held = this.held.of(this.workerId);
				return new Leases(held, Duration.ofNanos(System.nanoTime() - begin));
			});
		}
	}

	/**
	 * Whether there is something to compare with what is known here. To be called by the
	 * thread that claims.
	 * @param claimer its claims that are under way end first: what was leased before the
	 * look has arrived then
	 */
	boolean isReady(Claimer claimer) {
		if (!this.leases.isReady()) {
			return false;
		}
		if (this.arrived == null) {
			this.arrived = claimer.endOfThoseUnderWay();
		}
		return this.arrived.getAsBoolean();
	}

	/**
	 * Releases what is not known here. If it could not look, the next turn claims, and
	 * learns whether the database is back. To be called by the thread that claims.
	 */
	void release() throws InterruptedException {
		this.arrived = null;
		this.next.next();
		Leases seen;
		try {
			seen = this.leases.take();
		}
		catch (RuntimeException ex) {
			this.pools.each(Pool::expectJobs);
			throw ex;
		}
		this.next.rest(seen.time());
		compare(seen.held());
	}

	private void compare(List<Lease> held) {
		List<Lease> forgotten = new ArrayList<>(held);
		Set<Lease> known = new HashSet<>();
		this.pools.each((pool) -> pool.jobs().held().forEach((job) -> known.add(job.job().lease())));
		known.addAll(this.finisher.unwritten()); // after the pools: jobs move this way
		forgotten.removeAll(known);
		if (!forgotten.isEmpty()) {
			release(forgotten);
		}
	}

	private void release(List<Lease> forgotten) {
		List<Long> released = this.outcomes.release(this.workerId, forgotten);
		if (!released.isEmpty()) { // or they were over a moment after we looked
			this.pools.each(Pool::expectJobs);
			logger.warn("Jobs {} were leased to worker {} by a claim whose answer was lost; they are queued again",
					released, this.workerId);
		}
	}

	/** What is leased to the worker, and how long it took to find that out. */
	record Leases(List<Lease> held, Duration time) {

	}

}
