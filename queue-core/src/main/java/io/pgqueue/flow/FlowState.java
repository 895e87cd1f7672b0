package io.pgqueue.flow;

import java.util.Locale;

/**
 * How a flow is getting on.
 *
 * @since 0.1.0
 */
public enum FlowState {

	/** Some of its jobs are not over, and none has failed. */
	RUNNING,

	/** All of its jobs have succeeded. */
	SUCCEEDED,

	/** A job has failed for good and was not retried; others may still run. */
	FAILED,

	/** All of its jobs are over, none has failed, and at least one was cancelled. */
	CANCELLED;

	/**
	 * The state with this label.
	 * @param label a lower-case name, as the view {@code flows} has it
	 * @return the state
	 * @throws IllegalArgumentException if there is none
	 */
	public static FlowState of(String label) {
		return valueOf(label.toUpperCase(Locale.ROOT));
	}

}
