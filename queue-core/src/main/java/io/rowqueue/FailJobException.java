package io.rowqueue;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler to fail its job permanently, even if it has attempts left, because
 * a retry would fail in the same way. The job is kept as failed, with this error.
 * Applications may extend the exception, and it may also be the cause of another
 * exception.
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
	 * @param message why a retry cannot succeed
	 */
	public FailJobException(@Nullable String message) {
		super(message);
	}

	/**
	 * Creates the exception.
	 * @param message why a retry cannot succeed
	 * @param cause the underlying error
	 */
	public FailJobException(@Nullable String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
