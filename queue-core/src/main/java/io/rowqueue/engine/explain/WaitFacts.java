package io.rowqueue.engine.explain;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How far the limits and the batch are that a job waits for.
 *
 * @param aheadOfKey how many jobs its limit key admits before it; {@value #MAX_AHEAD}
 * means this number or more
 * @param perStart the time from one start to the next that the slowest rate of its limits
 * allows, or {@code null} if there is none
 * @param batchAge the time since its batch was created, or {@code null}
 */
record WaitFacts(long aheadOfKey, @Nullable Duration perStart, @Nullable Duration batchAge) {

	/** Nothing was read. */
	public static final WaitFacts NONE = new WaitFacts(0, null, null);

	/** The number at which counting the jobs of a key stops. */
	static final int MAX_AHEAD = 1000;

}
