package io.rowqueue.flow;

import java.util.Locale;

/**
 * Decides what happens to a job if a predecessor fails permanently or is cancelled.
 *
 * @since 0.1.0
 */
public enum WhenFailed {

	/**
	 * The job fails as well, without having run, and so do its own successors. If the
	 * predecessor is retried, the job waits for it again. This is the default.
	 */
	FAIL,

	/** The job runs as if the predecessor had succeeded, for work such as a clean-up. */
	RUN,

	/**
	 * The job waits until the predecessor is retried and succeeds. If the predecessor was
	 * cancelled, which cannot be reverted, the job fails.
	 */
	WAIT;

	/**
	 * Returns the name of the policy in the database.
	 * @return the lower-case name
	 */
	public String label() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Returns the policy with a name.
	 * @param label the lower-case name
	 * @return the policy
	 * @throws IllegalArgumentException if there is no such policy
	 */
	public static WhenFailed of(String label) {
		return valueOf(label.toUpperCase(Locale.ROOT));
	}

}
