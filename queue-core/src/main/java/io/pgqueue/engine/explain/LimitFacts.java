package io.pgqueue.engine.explain;

import java.time.Duration;
import java.util.List;

import io.pgqueue.limit.LimitKind;
import org.jspecify.annotations.Nullable;

/**
 * A limit that counts a waiting job, as it is now.
 *
 * @param kind what it is for
 * @param name the queue, the type or the key
 * @param concurrency how many jobs run at once; {@code null}: any number
 * @param held how many jobs it counts now, beside the waiting one
 * @param heldBy some of them
 * @param unclaimed those of them that have their place and wait for a worker themselves
 * @param ordered whether one that waits for its retry counts as well
 * @param nextToken how long until the rate lets another one begin, if it does not now
 */
public record LimitFacts(LimitKind kind, String name, @Nullable Integer concurrency, int held, List<Long> heldBy,
		List<Long> unclaimed, boolean ordered, @Nullable Duration nextToken) {

	/** Whether no other job may run now. */
	public boolean isReached() {
		return this.concurrency != null && this.held >= this.concurrency;
	}

}
