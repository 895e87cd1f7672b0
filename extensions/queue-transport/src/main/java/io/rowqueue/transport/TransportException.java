package io.rowqueue.transport;

import org.jspecify.annotations.Nullable;

/** Thrown if the broker cannot be reached or refuses a request. */
public class TransportException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message what failed, and the remedy
	 * @param cause the exception of the broker's client, if there is one
	 */
	public TransportException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
