package io.rowqueue.window;

import io.rowqueue.StopReason;

/**
 * Decides what happens to running jobs when their window closes.
 *
 * @since 0.1.0
 */
public enum ClosingPolicy {

	/** They continue to run. This is the default. */
	FINISH,

	/**
	 * Their handlers are asked to stop, with {@link StopReason#WINDOW_CLOSED}, and
	 * interrupted. If a handler ends because of the interruption, its job is released
	 * without using up an attempt, and runs again when the window opens.
	 */
	STOP

}
