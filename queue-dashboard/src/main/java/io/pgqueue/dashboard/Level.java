package io.pgqueue.dashboard;

/**
 * How much a caller of the dashboard may do. Each level includes those before it.
 *
 * @since 0.1.0
 */
public enum Level {

	/** Nothing; the dashboard does not answer. */
	NONE,

	/** See everything except payloads, results, keys and error messages. */
	READ,

	/** Retry, cancel, reschedule, prioritize, pause, resume and trigger. */
	OPERATE,

	/** Set and remove limits, and remove schedules and windows. */
	ADMIN;

	/** Whether this level includes another one. */
	public boolean includes(Level other) {
		return compareTo(other) >= 0;
	}

}
