package io.pgqueue.schedule;

import java.util.Locale;

/**
 * What becomes of due times that passed while nobody was there to notice: the database or
 * all workers were away.
 *
 * @since 0.1.0
 */
public enum MissedPolicy {

	/** Nothing, if they are more than a minute ago; the next due time is awaited. */
	SKIP,

	/** One job for all of them, with the latest of their due times. */
	ONCE,

	/** A job for each of them, in order. Goes with {@link OverlapPolicy#QUEUE} only. */
	ALL;

	/** The name in the database. */
	public String label() {
		return name().toLowerCase(Locale.ROOT);
	}

}
