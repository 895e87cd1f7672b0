package io.rowqueue.schedule;

import java.util.Locale;

/**
 * Decides what happens to a due time on a day that the calendar of a schedule excludes.
 *
 * @since 0.1.0
 */
public enum ExcludedPolicy {

	/** There is no due time on this day. */
	SKIP,

	/**
	 * The due time moves to the same time of the next day that the calendar includes. Due
	 * times that become equal are one.
	 */
	NEXT_DAY;

	/** Returns the name of the policy in the database. */
	public String label() {
		return name().toLowerCase(Locale.ROOT);
	}

}
