package io.pgqueue.window;

import io.pgqueue.StopReason;

/**
 * What becomes of running jobs when their window closes.
 *
 * @since 0.1.0
 */
public enum ClosingPolicy {

	/** They go on to their end. */
	FINISH,

	/**
	 * They are asked to stop, with {@link StopReason#WINDOW_CLOSED}, and interrupted. One
	 * that ends with an interruption goes back to the queue, without having used up an
	 * attempt, and runs again when the window opens.
	 */
	STOP

}
