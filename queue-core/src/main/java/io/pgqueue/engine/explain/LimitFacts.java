package io.pgqueue.engine.explain;

import java.time.Duration;
import java.util.List;

import io.pgqueue.limit.LimitKind;
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
 * @param ordered whether a job that waits for its retry is counted as well
 * @param nextToken the time until the rate allows another job to start, or {@code null}
 */
public record LimitFacts(LimitKind kind, String name, @Nullable Integer concurrency, int held, List<Long> heldBy,
		List<Long> unclaimed, boolean ordered, @Nullable Duration nextToken) {

	/** Returns whether no other job may run now. */
	public boolean isReached() {
		return this.concurrency != null && this.held >= this.concurrency;
	}

}
