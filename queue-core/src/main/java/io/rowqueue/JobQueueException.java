package io.rowqueue;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the queue refuses a request. The message states the reason and the remedy.
 *
 * @since 0.1.0
 */
public class JobQueueException extends RuntimeException {

	/**
	 * Creates the exception.
	 * @param message what is wrong and what to do about it
	 */
	public JobQueueException(String message) {
		super(message);
	}

	/**
	 * Creates the exception.
	 * @param message what is wrong and what to do about it
	 * @param cause the error behind it
	 */
	public JobQueueException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
