package io.pgqueue.engine.history;

import java.time.Duration;
import java.util.Map;

/**
 * How old finished jobs may become.
 *
 * @param succeeded those that succeeded
 * @param cancelled those that were cancelled
 * @param succeededOf the queues whose succeeded jobs have an age of their own
 * @param cancelledOf the queues whose cancelled jobs have an age of their own
 */
public record FinishedAges(Duration succeeded, Duration cancelled, Map<String, Duration> succeededOf,
		Map<String, Duration> cancelledOf) {

	/** Copies the maps. */
	public FinishedAges {
		succeededOf = Map.copyOf(succeededOf);
		cancelledOf = Map.copyOf(cancelledOf);
	}

}
