package io.rowqueue;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler to cancel its job, because the work is no longer needed. The job
 * has not failed, and no error is recorded. Applications may extend the exception, and it
 * may also be the cause of another exception. A transaction around the handler is rolled
 * back.
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
	 * @param reason the reason, for the log
	 */
	public CancelJobException(@Nullable String reason) {
		super(reason);
	}

	/**
	 * Creates the exception.
	 * @param reason the reason, for the log
	 * @param cause the underlying error
	 */
	public CancelJobException(@Nullable String reason, @Nullable Throwable cause) {
		super(reason, cause);
	}

}
