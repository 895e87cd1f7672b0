package io.rowqueue.engine.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

import io.rowqueue.StopReason;
import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.Judge;
import io.rowqueue.engine.finish.Finisher;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.engine.support.Loop;
import io.rowqueue.engine.support.Times;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops the work of a worker: no job is lost, and few are run again. */
public final class GracefulStop {

	private static final Duration HANDLERS_ANSWER_INTERRUPT = Duration.ofSeconds(2);

	private static final Duration LAST_CLAIMS = Duration.ofSeconds(3);

	private static final Duration LAST_WRITES = Duration.ofSeconds(4);

	private static final Logger logger = LoggerFactory.getLogger(GracefulStop.class);

	private final Pools pools;

	private final Finisher finisher;

	private final Judge judge;

	private final Duration timeout;

	/**
	 * Creates the stop.
	 * @param judge decides the outcome of handlers that do not end
	 * @param timeout how long running jobs may take to finish
	 */
	public GracefulStop(Pools pools, Finisher finisher, Judge judge, Duration timeout) {
		this.pools = pools;
		this.finisher = finisher;
		this.judge = judge;
		this.timeout = timeout;
	}

	/**
	 * Releases the jobs that have not started, lets the others finish, and interrupts
	 * those that do not.
	 * @param claiming the thread that claims, which has been asked to stop
	 * @param background executes what the claiming thread does not wait for
	 * @return whether the worker holds no jobs any more
	 */
	public boolean run(Loop claiming, ExecutorService background) throws InterruptedException {
		this.pools.each((pool) -> this.finisher.release(pool.jobs().close()));
		List<ActiveJob> running = this.pools.running();
		running.forEach((job) -> job.askToStop(StopReason.SHUTDOWN));
		if (!running.isEmpty()) {
			logger.info("Stopping: {} may take up to {} to finish", running, Times.readable(this.timeout));
		}
		if (!this.pools.awaitIdle(this.timeout)) {
			this.pools.running().forEach((job) -> job.interrupt(StopReason.SHUTDOWN));
			this.pools.awaitIdle(HANDLERS_ANSWER_INTERRUPT);
		}
		List<ActiveJob> unresponsive = this.pools.running();
		if (!unresponsive.isEmpty()) {
			logger.warn("{} did not respond to the interrupt of the shutdown; they are released and may run twice",
					unresponsive);
			unresponsive.stream().filter(ActiveJob::conclude).map(this.judge::unresponsive).forEach(this.finisher::add);
		}
		// the jobs that they bring are released
		boolean claimed = awaitLastClaims(claiming, background);
		return this.finisher.flush(LAST_WRITES) && claimed;
	}

	private static boolean awaitLastClaims(Loop claiming, ExecutorService background) throws InterruptedException {
		long deadline = System.nanoTime() + LAST_CLAIMS.toNanos();
		boolean beginsNoMore = claiming.join(LAST_CLAIMS);
		background.shutdown();
		return beginsNoMore && background.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
	}

}
