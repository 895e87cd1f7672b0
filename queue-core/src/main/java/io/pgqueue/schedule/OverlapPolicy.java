package io.pgqueue.schedule;

import java.util.Locale;

/**
 * What becomes of a due time while the schedule's job before it waits or runs, or waits
 * for a retry.
 *
 * @since 0.1.0
 */
public enum OverlapPolicy {

	/** No job; the schedule tells when that last happened. */
	SKIP,

	/**
	 * A job like any other: it may run beside the one before it, if slots are free.
	 */
	QUEUE;

	/** The name in the database. */
	public String label() {
		return name().toLowerCase(Locale.ROOT);
	}

}
