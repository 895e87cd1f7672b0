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

	/**
	 * A pool holds as many jobs as its slots run within a tenth of a second: one that has
	 * waited for so long will wait for longer.
	 */
	static final Duration MAX_WAIT = Duration.ofSeconds(2);

	private static final Logger logger = LoggerFactory.getLogger(PrefetchWatch.class);

	private final Pools pools;

	private final Consumer<List<ActiveJob>> release;

	/**
	 * Creates the watch.
	 * @param release releases jobs that have not started
	 */
	public PrefetchWatch(Pools pools, Consumer<List<ActiveJob>> release) {
		this.pools = pools;
		this.release = release;
	}

	/** Looks at all jobs that wait for a slot. */
	public void turn() {
		this.pools.each((pool) -> {
			List<ActiveJob> late = pool.takeLate(MAX_WAIT);
			if (!late.isEmpty()) {
				logger.info(
						"Releasing {} jobs that have waited for one of {} for {} s, so that other workers can run them",
						late.size(), pool, MAX_WAIT.toSeconds());
				this.release.accept(late);
			}
		});
	}

}
