package io.rowqueue.engine.worker;

import java.util.Map;

import io.rowqueue.engine.claim.ClaimLoop;
import io.rowqueue.engine.finish.Finisher;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.engine.worker.WorkerStore.HeartbeatAnswer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what administrators want of a running worker: to claim no more, to have other
 * numbers of slots, or to be replaced by a new worker of its process. Used by the thread
 * of the heartbeat, whose answers contain the requests.
 */
final class AdminRequests {

	private static final Logger logger = LoggerFactory.getLogger(AdminRequests.class);

	private final long workerId;

	private final Pools pools;

	private final ClaimLoop claims;

	private final Finisher finisher;

	private final DirectStart directStart;

	private final Stop stop;

	private final Runnable end;

	private boolean quiet;

	private boolean restarting;

	private boolean withoutThreads;

	/**
	 * Creates the requests.
	 * @param stop stops the worker gracefully; its process registers another one then
	 * @param end ends the worker if that is not possible
	 */
	AdminRequests(long workerId, Pools pools, ClaimLoop claims, Finisher finisher, DirectStart directStart, Stop stop,
			Runnable end) {
		this.workerId = workerId;
		this.pools = pools;
		this.claims = claims;
		this.finisher = finisher;
		this.directStart = directStart;
		this.stop = stop;
		this.end = end;
	}

	/** A heartbeat was answered. */
	void answered(HeartbeatAnswer answer) {
		beQuiet(answer.quiet());
		resize(answer.slots()); // the new worker keeps them
		if (answer.restart() && !this.restarting) {
			beginRestart();
		}
	}

	/**
	 * While the worker is quiet, it claims no more jobs: those that run go on, and those
	 * that have not started are released. What a claim brings that was under way when
	 * that began is released by one of the next heartbeats.
	 */
	private void beQuiet(boolean wanted) {
		if (wanted != this.quiet) {
			this.quiet = wanted;
			this.pools.each((pool) -> pool.quiet(wanted));
			changeQuiet();
		}
		if (wanted) {
			this.pools.each((pool) -> this.finisher.release(pool.jobs().drain()));
		}
	}

	private void changeQuiet() {
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

	private void resize(Map<String, Integer> wanted) {
		try {
			Map<String, Integer> changed = this.pools.resize(wanted);
			if (!changed.isEmpty()) {
				logger.info("An administrator has changed the slots of worker {}: {}", this.workerId, this.pools);
				this.claims.lookAgain();
			}
			this.withoutThreads = false;
		}
		catch (OutOfMemoryError ex) { // heartbeats must go on
			if (!this.withoutThreads) {
				logger.warn("Worker {} cannot start threads for the slots that an administrator wants, and retries"
						+ " with each heartbeat: {}", this.workerId, this.pools, ex);
			}
			this.withoutThreads = true;
		}
	}

	/** Heartbeats go on meanwhile. */
	private void beginRestart() {
		logger.info("An administrator has requested a restart of worker {}: it stops when its jobs have finished,"
				+ " and this process registers a new worker", this.workerId);
		Thread thread = new Thread(this::restart, "rowqueue-restart");
		thread.setDaemon(true);
		thread.start();
		this.restarting = true;
	}

	private void restart() {
		try {
			this.stop.run();
		}
		catch (InterruptedException | RuntimeException | Error ex) {
			logger.warn("Worker {} could not stop gracefully; other workers recover its jobs", this.workerId, ex);
			this.pools.each((pool) -> pool.jobs().close());
			this.end.run();
		}
	}

	/** Stops a worker. */
	interface Stop {

		void run() throws InterruptedException;

	}

}
