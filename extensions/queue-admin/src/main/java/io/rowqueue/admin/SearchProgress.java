package io.rowqueue.admin;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How far a search came that examines one job after another.
 *
 * @param until the time of the last examined job, by which the list is sorted, or
 * {@code null} if the list is not sorted by time or no job was examined
 * @param rows the number of examined jobs
 * @param complete whether all jobs were examined
 * @param because why the search stopped; {@code null} if it is complete
 * @since 0.1.0
 */
public record SearchProgress(@Nullable Instant until, long rows, boolean complete, @Nullable Stop because) {

	/** Why a search stopped before it had examined all jobs. */
	public enum Stop {

		/** The page is full. */
		FULL,

		/** The search reached its maximum duration. */
		TIME,

		/** The search reached its maximum number of jobs. */
		ROWS

	}

}
