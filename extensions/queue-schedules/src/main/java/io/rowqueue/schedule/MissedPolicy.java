package io.rowqueue.schedule;

import java.util.Locale;

/**
 * Decides what happens to due times that were missed because the database or all workers
 * were not available.
 *
 * @since 0.1.0
 */
public enum MissedPolicy {

	/** Due times of more than a minute ago are dropped; the next one enqueues a job. */
	SKIP,

	/** One job is enqueued for all of them, with the latest due time. */
	ONCE,

	/**
	 * A job is enqueued for each of them, in order. Requires {@link OverlapPolicy#QUEUE}.
	 */
	ALL;

	/** Returns the name of the policy in the database. */
	public String label() {
		return name().toLowerCase(Locale.ROOT);
	}

}
