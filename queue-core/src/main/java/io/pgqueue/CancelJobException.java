package io.pgqueue;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler to cancel its job: there is nothing left to do, and nothing is
 * wrong. May be extended by exceptions of the application, and may be the cause of
 * another one; a transaction around the handler rolls back.
 *
 * <pre class="code">
 * throw new CancelJobException("The order was withdrawn");
 * </pre>
 *
 * @since 0.1.0
 */
public class CancelJobException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param reason for the log
	 */
	public CancelJobException(@Nullable String reason) {
		super(reason);
	}

	/**
	 * Creates the exception.
	 * @param reason for the log
	 * @param cause the error behind it
	 */
	public CancelJobException(@Nullable String reason, @Nullable Throwable cause) {
		super(reason, cause);
	}

}
