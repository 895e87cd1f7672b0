package io.pgqueue.flow;

import java.util.Locale;

/**
 * What becomes of a job when one that it is to run after does not succeed: fails for good
 * or is cancelled.
 *
 * @since 0.1.0
 */
public enum WhenFailed {

	/**
	 * It fails as well, without having run, and so do those that are to run after it. If
	 * the one before it is retried, it waits for that one again. The default.
	 */
	FAIL,

	/** It runs as if the one before it had succeeded: for what has to be done anyway. */
	RUN,

	/**
	 * It waits until the one before it is retried and succeeds. If that one is cancelled,
	 * which nobody can take back, it fails.
	 */
	WAIT;

	/**
	 * The policy as it is written in the database.
	 * @return the lower-case name
	 */
	public String label() {
		return name().toLowerCase(Locale.ROOT);
	}

}
