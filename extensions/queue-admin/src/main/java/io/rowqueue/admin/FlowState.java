package io.rowqueue.admin;

import java.util.Locale;

/**
 * The state of a flow.
 *
 * @since 0.1.0
 */
public enum FlowState {

	/** At least one job has not finished, and none has failed. */
	RUNNING,

	/** All of its jobs have succeeded. */
	SUCCEEDED,

	/** A job has failed permanently and was not retried. Others may still run. */
	FAILED,

	/** All of its jobs have finished, none has failed, and at least one was cancelled. */
	CANCELLED;

	/**
	 * Returns the state with the given label.
	 * @param label the lower-case name, as in the view {@code flows}
	 * @return the state
	 * @throws IllegalArgumentException if there is no such state
	 */
	public static FlowState of(String label) {
		return valueOf(label.toUpperCase(Locale.ROOT));
	}

}
