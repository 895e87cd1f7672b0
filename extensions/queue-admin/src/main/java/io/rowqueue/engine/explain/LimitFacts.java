package io.rowqueue.engine.explain;

import java.time.Duration;
import java.util.List;

import io.rowqueue.limit.LimitKind;
import org.jspecify.annotations.Nullable;

/**
 * The current use of a limit that applies to a waiting job.
 *
 * @param kind what the limit applies to
 * @param name the queue, the type or the key
 * @param concurrency the maximum number of jobs, or {@code null}
 * @param held how many jobs it counts, apart from the waiting one
 * @param heldBy the ids of some of them
 * @param unclaimed the ids of those of them that were admitted and wait for a worker
 * @param units how many the waiting job takes
 * @param next the job for which free units are kept, which goes before the waiting one,
 * or {@code null}
 * @param ordered whether a job that waits for its retry is counted as well
 * @param nextToken the time until the rate allows another job to start, or {@code null}
 */
public record LimitFacts(LimitKind kind, String name, @Nullable Integer concurrency, int held, List<Long> heldBy,
		List<Long> unclaimed, int units, @Nullable Long next, boolean ordered, @Nullable Duration nextToken) {

	/** Returns whether the waiting job may not run now. */
	public boolean isReached() {
		return this.concurrency != null && this.held + Math.min(this.units, this.concurrency) > this.concurrency;
	}

}
