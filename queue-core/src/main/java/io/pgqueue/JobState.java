package io.pgqueue;

import java.util.Locale;

/**
 * Where a job is in its life.
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

	/** Waits for other jobs; its time comes after theirs. */
	BLOCKED,

	/** Waits for its time: delayed by the enqueue, or by the backoff of a retry. */
	SCHEDULED,

	/** Due; any worker that can run its type may claim it. */
	QUEUED,

	/**
	 * Leased by a worker and about to run: waiting in its local queue, or started less
	 * than a heartbeat ago.
	 */
	STARTING,

	/** Its handler runs. */
	RUNNING,

	/** Its handler returned. */
	SUCCEEDED,

	/**
	 * Out of attempts, or failed for good; kept until it is retried or retention ends.
	 */
	FAILED,

	/** Taken back before it was done. */
	CANCELLED;

	/**
	 * Whether nothing more happens to a job in this state unless somebody retries it.
	 * @return whether it succeeded, failed or was cancelled
	 */
	public boolean isOver() {
		return this == SUCCEEDED || this == FAILED || this == CANCELLED;
	}

	/**
	 * The state as it is written in the database, in SQL and in meters.
	 * @return the lower-case name
	 */
	public String label() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * The state with this label.
	 * @param label a lower-case name
	 * @return the state
	 * @throws IllegalArgumentException if there is none
	 */
	public static JobState of(String label) {
		return valueOf(label.toUpperCase(Locale.ROOT));
	}

}
