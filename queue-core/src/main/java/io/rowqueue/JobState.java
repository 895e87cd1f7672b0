package io.rowqueue;

import java.util.Locale;

/**
 * The state of a job.
 *
 * <pre>
 * blocked → scheduled → queued → starting → running → succeeded
 *               ↑          ↑                    ├───→ failed
 *               └──────────┴──── (retry) ←──────┘
 * </pre>
 *
 * @since 0.1.0
 */
public enum JobState {

	/** Waits for other jobs or for the limit of its key. */
	BLOCKED,

	/** Waits for its due time, which a delay, a retry or a snooze has set. */
	SCHEDULED,

	/** Due; any worker that has a handler for its type may claim it. */
	QUEUED,

	/**
	 * Leased by a worker: waiting for a slot, or started less than a heartbeat ago.
	 */
	STARTING,

	/** Its handler is running. */
	RUNNING,

	/** Its handler has returned. */
	SUCCEEDED,

	/**
	 * Failed permanently or without attempts left; kept until it is retried or its
	 * retention ends.
	 */
	FAILED,

	/** Cancelled before it succeeded. */
	CANCELLED;

	/**
	 * Returns whether the job has finished. A finished job changes only if it is retried
	 * manually.
	 * @return whether it succeeded, failed permanently or was cancelled
	 */
	public boolean isFinished() {
		return this == SUCCEEDED || this == FAILED || this == CANCELLED;
	}

	/**
	 * Returns the name of the state in the database, in SQL and in meters.
	 * @return the lower-case name
	 */
	public String label() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Returns the state with the given label.
	 * @param label a lower-case name
	 * @return the state
	 * @throws IllegalArgumentException if there is no such state
	 */
	public static JobState of(String label) {
		return valueOf(label.toUpperCase(Locale.ROOT));
	}

}
