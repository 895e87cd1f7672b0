package io.pgqueue.engine.history;

import java.time.Duration;
import java.util.Map;

/**
 * The maximum ages of finished jobs.
 *
 * @param succeeded the age for succeeded jobs
 * @param cancelled the age for cancelled jobs
 * @param succeededOf the queues with a different age for succeeded jobs
 * @param cancelledOf the queues with a different age for cancelled jobs
 */
public record FinishedAges(Duration succeeded, Duration cancelled, Map<String, Duration> succeededOf,
		Map<String, Duration> cancelledOf) {

	/** Copies the maps. */
	public FinishedAges {
		succeededOf = Map.copyOf(succeededOf);
		cancelledOf = Map.copyOf(cancelledOf);
	}

}
