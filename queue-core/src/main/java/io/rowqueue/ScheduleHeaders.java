package io.rowqueue;

/**
 * The headers of jobs that a schedule has enqueued.
 *
 * @since 0.1.0
 */
public final class ScheduleHeaders {

	/** The name of the schedule. */
	public static final String NAME = "schedule";

	/** The due time, such as {@code 2026-10-25T01:30:00Z}. */
	public static final String DUE_AT = "due-at";

	private ScheduleHeaders() {
	}

}
