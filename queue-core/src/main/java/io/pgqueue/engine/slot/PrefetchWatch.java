package io.pgqueue.engine.slot;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

import io.pgqueue.engine.attempt.ActiveJob;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases jobs that were claimed ahead and do not get a slot, because those before them
 * run for longer than jobs did until then: other workers may have idle slots. They lose
 * no attempt.
 */
public final class PrefetchWatch {

	public static final Duration INTERVAL = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger(PrefetchWatch.class);

	private final Pools pools;

	private final Duration maxWait;

	private final Consumer<List<ActiveJob>> release;

	/**
	 * Creates the watch.
	 * @param maxWait how long a job may wait for a slot
	 * @param release releases jobs that have not started
	 */
	public PrefetchWatch(Pools pools, Duration maxWait, Consumer<List<ActiveJob>> release) {
		this.pools = pools;
		this.maxWait = maxWait;
		this.release = release;
	}

	/** Looks at all jobs that wait for a slot. */
	public void turn() {
		this.pools.each((pool) -> {
			List<ActiveJob> late = pool.takeLate(this.maxWait);
			if (!late.isEmpty()) {
				logger.info(
						"Releasing {} jobs that have waited for one of {} for {} s, so that other workers can run them",
						late.size(), pool, this.maxWait.toSeconds());
				this.release.accept(late);
			}
		});
	}

}
