package io.pgqueue;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler to fail its job for good, whatever attempts are left: a repetition
 * would fail in the same way. The job is kept as failed, with this error. May be extended
 * by exceptions of the application, and may be the cause of another one.
 *
 * <pre class="code">
 * throw new FailJobException("There is no customer " + id);
 * </pre>
 *
 * @since 0.1.0
 */
public class FailJobException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message why no repetition can succeed
	 */
	public FailJobException(@Nullable String message) {
		super(message);
	}

	/**
	 * Creates the exception.
	 * @param message why no repetition can succeed
	 * @param cause the error behind it
	 */
	public FailJobException(@Nullable String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
