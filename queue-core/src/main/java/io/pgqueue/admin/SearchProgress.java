package io.pgqueue.admin;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How far a search came that looks at one job after the other.
 *
 * @param until the time of the last job that was looked at, by which the list is sorted;
 * {@code null}: the list is not sorted by time, or no job was looked at
 * @param rows how many jobs were looked at
 * @param complete whether all jobs were looked at
 * @param because why the search stopped; {@code null} if it is complete
 * @since 0.1.0
 */
public record SearchProgress(@Nullable Instant until, long rows, boolean complete, @Nullable Stop because) {

	/** Why a search stops before it has looked at all jobs. */
	public enum Stop {

		/** The page is full. */
		FULL,

		/** The search has taken as long as it may. */
		TIME,

		/** The search has looked at as many jobs as it may. */
		ROWS

	}

}
