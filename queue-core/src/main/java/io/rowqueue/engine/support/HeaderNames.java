package io.rowqueue.engine.support;

import java.util.Set;

/** The names of headers that the queue itself writes. */
public final class HeaderNames {

	/** The window of a job. */
	public static final String WINDOW = "window";

	/** When the job expires, such as {@code 2026-10-25T01:30:00Z}. */
	public static final String EXPIRES_AT = "expires-at";

	/** The tags of a job, one on each line: a tag has no line separators. */
	public static final String TAGS = "tags";

	/** The job whose failure was the reason for the enqueue. */
	public static final String FAILED_JOB = "failed-job";

	/** The fairness key of a job that has a limit key as well. */
	public static final String FAIRNESS_KEY = "fairness-key";

	/** The names that a request cannot use. */
	public static final Set<String> RESERVED = Set.of(WINDOW, EXPIRES_AT, TAGS, "schedule", "due-at", "unreadable",
			FAILED_JOB, FAIRNESS_KEY);

	private HeaderNames() {
	}

}
