package io.rowqueue;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a payload cannot be written as JSON, or if stored JSON cannot be mapped to
 * the parameter of the handler. A job whose payload cannot be mapped is retried as its
 * policy says, since a process with another version of the application may be able to
 * read it; {@link JobHandler#noRetryFor()} with this class makes it final.
 *
 * @since 0.1.0
 */
public class PayloadConversionException extends JobQueueException {

	/**
	 * Creates the exception.
	 * @param message which payload cannot be converted, and to which type
	 * @param cause the underlying error if it is safe to log: errors of a JSON mapper
	 * quote the payload
	 */
	public PayloadConversionException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
