package io.pgqueue.engine.schedule;

import java.util.Locale;

/** What came of a due time of a recurring job. */
public enum DueOutcome {

	/** Its job was enqueued. */
	ENQUEUED,

	/** The job before it is not over, and the overlap policy skips it then. */
	SKIPPED,

	/** It passed while nobody was there, and gets no job of its own. */
	MISSED;

	/** As it is shown. */
	public String label() {
		return name().toLowerCase(Locale.ROOT);
	}

}
