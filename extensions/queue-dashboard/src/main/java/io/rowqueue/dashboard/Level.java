package io.rowqueue.dashboard;

/**
 * How much a caller of the dashboard may do. Each level includes those before it.
 *
 * @since 0.1.0
 */
public enum Level {

	/** Nothing; the dashboard does not answer. */
	NONE,

	/** See everything except payloads, results, keys, error messages and log lines. */
	READ,

	/**
	 * Retry, cancel, reschedule, prioritize, pause, resume, hold, release, trigger and
	 * backfill; make workers quiet, change their slots and restart them.
	 */
	OPERATE,

	/**
	 * Set and remove limits, remove schedules and windows, replace payloads, enqueue,
	 * signal and erase jobs.
	 */
	ADMIN;

	/** Whether this level includes another one. */
	public boolean includes(Level other) {
		return compareTo(other) >= 0;
	}

}
