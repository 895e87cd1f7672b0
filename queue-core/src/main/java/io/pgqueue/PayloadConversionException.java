package io.pgqueue;

import org.jspecify.annotations.Nullable;

/**
 * A payload cannot be written as JSON, or the stored JSON does not map to the parameter
 * of the handler. Repeating the attempt would not help, so it is not retried by default.
 *
 * @since 0.1.0
 */
public class PayloadConversionException extends JobQueueException {

	/**
	 * Creates the exception.
	 * @param message which payload does not map to what
	 * @param cause the error behind it, if it is safe to log: a mapper's own error on
	 * reading quotes the payload
	 */
	public PayloadConversionException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
