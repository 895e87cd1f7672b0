package io.rowqueue.engine.worker;

import io.rowqueue.engine.claim.ClaimLoop;
import io.rowqueue.engine.finish.Finisher;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.slot.Pools;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time in which an administrator lets a worker claim no more jobs: those that run go
 * on, and those that have not started are released. Used by the thread of the heartbeat.
 */
final class QuietMode {

	private static final Logger logger = LoggerFactory.getLogger(QuietMode.class);

	private final long workerId;

	private final Pools pools;

	private final ClaimLoop claims;

	private final Finisher finisher;

	private final DirectStart directStart;

	private boolean quiet;

	QuietMode(long workerId, Pools pools, ClaimLoop claims, Finisher finisher, DirectStart directStart) {
		this.workerId = workerId;
		this.pools = pools;
		this.claims = claims;
		this.finisher = finisher;
		this.directStart = directStart;
	}

	/**
	 * A heartbeat was answered. What a claim brings that was under way when the time
	 * began is released by one of the next heartbeats.
	 * @param wanted whether the worker is to be quiet
	 */
	void answered(boolean wanted) {
		if (wanted != this.quiet) {
			this.quiet = wanted;
			change();
		}
		if (wanted) {
			this.pools.each((pool) -> this.finisher.release(pool.jobs().drain()));
		}
	}

	private void change() {
		this.pools.each((pool) -> pool.quiet(this.quiet));
		if (this.quiet) {
			logger.info("Worker {} claims no more jobs until it is resumed; those that run go on", this.workerId);
			this.directStart.withdraw(this.claims.directStarts());
		}
		else {
			logger.info("Worker {} was resumed and claims jobs again", this.workerId);
			this.directStart.offer(this.claims.directStarts());
			this.claims.lookAgain();
		}
	}

}
