package io.rowqueue.engine.worker;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.slot.Pool;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.engine.slot.Timeouts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases jobs that were claimed ahead and do not get a slot, because those before them
 * run for longer than jobs did until then: other workers may have idle slots. They lose
 * no attempt.
 */
final class PrefetchWatch {

	private static final Logger logger = LoggerFactory.getLogger(PrefetchWatch.class);

	private final Pools pools;

	private final Duration maxWait;

	private final Predicate<ActiveJob> which;

	private final Consumer<List<ActiveJob>> release;

	private final LongSupplier nanoTime;

	private long latestTurn;

	/**
	 * Creates the watch.
	 * @param maxWait how long a job may wait for a slot
	 * @param which the jobs that may be released
	 * @param release releases jobs that have not started
	 * @param nanoTime the clock
	 */
	public PrefetchWatch(Pools pools, Duration maxWait, Predicate<ActiveJob> which, Consumer<List<ActiveJob>> release,
			LongSupplier nanoTime) {
		this.pools = pools;
		this.maxWait = maxWait;
		this.which = which;
		this.release = release;
		this.nanoTime = nanoTime;
		this.latestTurn = nanoTime.getAsLong();
	}

	/**
	 * Looks at all jobs that wait for a slot. If the process did not run for a time, the
	 * slots get their jobs first.
	 */
	public void turn() {
		long now = this.nanoTime.getAsLong();
		boolean late = now - this.latestTurn > 2 * Timeouts.INTERVAL.toNanos();
		this.latestTurn = now;
		if (!late) {
			this.pools.each(this::release);
		}
	}

	private void release(Pool pool) {
		List<ActiveJob> jobs = pool.takeLate(this.maxWait, this.which);
		if (!jobs.isEmpty()) {
			this.release.accept(jobs);
			logger.info("Releasing {} jobs that have waited for one of {} for {} s, so that other workers can run them",
					jobs.size(), pool, this.maxWait.toSeconds());
		}
	}

}
