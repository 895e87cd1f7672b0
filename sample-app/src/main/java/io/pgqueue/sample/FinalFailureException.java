package io.pgqueue.sample;

import org.jspecify.annotations.Nullable;

/** A repetition would fail in the same way: the job is failed at once, for good. */
public class FinalFailureException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message what is wrong with the job
	 */
	public FinalFailureException(String message) {
		super(message);
	}

	/**
	 * Creates the exception.
	 * @param message what is wrong with the job
	 * @param cause the error behind it
	 */
	public FinalFailureException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
