package io.rowqueue.schedule;

import java.util.Locale;

/**
 * Decides what happens at a due time while the previous job of the schedule has not
 * finished: it waits, runs, or waits for a retry.
 *
 * @since 0.1.0
 */
public enum OverlapPolicy {

	/** No job is enqueued; {@link ScheduleStatus#lastSkippedAt()} shows when. */
	SKIP,

	/**
	 * A job is enqueued, which may run at the same time as the previous one.
	 */
	QUEUE;

	/** Returns the name of the policy in the database. */
	public String label() {
		return name().toLowerCase(Locale.ROOT);
	}

}
