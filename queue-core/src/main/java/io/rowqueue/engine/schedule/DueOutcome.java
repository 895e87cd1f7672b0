package io.rowqueue.engine.schedule;

import java.util.Locale;

/** What happened at a due time of a schedule. */
enum DueOutcome {

	/** A job was enqueued. */
	ENQUEUED,

	/**
	 * The previous job has not finished, and the overlap policy is to skip the due time.
	 */
	SKIPPED,

	/** It was missed, and gets no job of its own. */
	MISSED;

	/** Returns the name in meters. */
	public String label() {
		return name().toLowerCase(Locale.ROOT);
	}

}
