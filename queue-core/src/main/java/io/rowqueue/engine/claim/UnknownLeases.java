package io.rowqueue.engine.claim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;

import io.rowqueue.engine.attempt.TypeOptions;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.finish.Finisher;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.lease.LeaseStore;
import io.rowqueue.engine.lease.LeaseStore.HeldLease;
import io.rowqueue.engine.lease.OutcomeStore;
import io.rowqueue.engine.slot.Demand;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.engine.support.JobLog;
import io.rowqueue.engine.support.Pace;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Ends leases of this worker that it does not know of: a claim was committed, but the
 * connection broke before its answer arrived; or there was no memory for the outcome of
 * an attempt. No other worker would touch these jobs while this one is alive. An attempt
 * counts if the database shows that it began, as it does from the second lease on.
 * Reading the leases also deletes the rows of claims that have ended.
 */
final class UnknownLeases {

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

	private final TypeOptions types;

	private final DirectStarts directStarts;

	private final Background<Leases> leases;

	private final Pace next = new Pace(EVERY);

	/** When leases were read last and there were none. */
	private long noneAt = System.nanoTime();

	/**
	 * Whether the jobs have arrived that were leased before the leases were read;
	 * {@code null}: no leases were read.
	 */
	private @Nullable BooleanSupplier arrived;

	/**
	 * Creates it.
	 * @param database the database as workers see it
	 * @param types how many attempts the jobs have
	 * @param directStarts the jobs that this process is enqueuing with a lease
	 * @param leases reads the leases in the background: there may be many dead rows
	 */
	UnknownLeases(QueueDatabase database, long workerId, Pools pools, Finisher finisher, TypeOptions types,
			DirectStarts directStarts, Background<Leases> leases) {
		this.types = types;
		this.held = new LeaseStore(database);
		this.outcomes = new OutcomeStore(database);
		this.workerId = workerId;
		this.pools = pools;
		this.finisher = finisher;
		this.directStarts = directStarts;
		this.leases = leases;
	}

	/** The time until the next turn has something to do. */
	Duration remaining() {
		return this.leases.isBusy() ? EVERY : this.next.remaining();
	}

	/**
	 * Whether leases were read after that time and there were none.
	 * @param nanoTime a time of {@link System#nanoTime()}
	 */
	boolean noneSince(long nanoTime) {
		return this.noneAt - nanoTime > 0;
	}

	/** Has the leases read with the next turn. */
	void hurry() {
		if (!this.leases.isBusy()) {
			this.next.hurry();
		}
	}

	/**
	 * Compares leases that were read with the jobs that are known here, and has them read
	 * again when it is time to. To be called by the thread that claims.
	 */
	void turn(ClaimLoop claims) throws InterruptedException {
		if (isReady(claims)) {
			release();
		}
		if (remaining().isZero()) {
			this.leases.begin(() -> {
				long begin = System.nanoTime();
				List<HeldLease> held = this.held.of(this.workerId);
				return new Leases(held, begin, Duration.ofNanos(System.nanoTime() - begin));
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
		if (seen.held().isEmpty()) {
			this.noneAt = seen.begin();
		}
		compare(seen.held());
	}

	private void compare(List<HeldLease> held) {
		List<HeldLease> unknown = new ArrayList<>(held);
		// jobs move from there to the pools
		Set<Lease> known = this.directStarts.leases();
		this.pools.each((pool) -> pool.jobs().held().forEach((job) -> known.add(job.job().lease())));
		known.addAll(this.finisher.unwritten()); // after the pools: jobs move this way
		unknown.removeIf((lease) -> known.contains(lease.lease()));
		List<HeldLease> begun = unknown.stream().filter(HeldLease::running).toList();
		unknown.removeAll(begun);
		if (!unknown.isEmpty()) {
			release(unknown.stream().map(HeldLease::lease).toList());
		}
		if (!begun.isEmpty()) {
			fail(begun);
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

	private void fail(List<HeldLease> begun) {
		List<Long> failed = this.outcomes.fail(this.workerId, begun.stream().map(this::failure).toList());
		if (!failed.isEmpty()) {
			this.pools.raise(Demand.Level.ANYWHERE);
			logger.error("The attempts of jobs {} have no outcome in worker {}, as when its memory was exhausted; they"
					+ " count as failed", failed, this.workerId);
		}
	}

	private Failure failure(HeldLease lease) {
		int limit = Objects.requireNonNullElseGet(lease.maxAttempts(),
				() -> Objects.requireNonNull(this.types.of(lease.type()).maxAttempts()));
		String error = "worker " + this.workerId
				+ " has no outcome of this attempt, as when its memory was exhausted: see its log";
		return new Failure(lease.lease(), error, (lease.attempt() < limit) ? Duration.ZERO : null);
	}

	/** What is leased to the worker, and when and how long it took to read that. */
	record Leases(List<HeldLease> held, long begin, Duration time) {

	}

}
