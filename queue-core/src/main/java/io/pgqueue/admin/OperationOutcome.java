package io.pgqueue.admin;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of an operation.
 *
 * @param state {@link RecordedOperation.State#DONE},
 * {@link RecordedOperation.State#REFUSED} or {@link RecordedOperation.State#FAILED}
 * @param message the outcome in words
 * @param jobs the number of affected jobs, or {@code null} for operations on other
 * targets
 * @since 0.1.0
 */
public record OperationOutcome(RecordedOperation.State state, String message, @Nullable Long jobs) {

	/** Creates the outcome of an operation that succeeded. */
	public static OperationOutcome done(String message, @Nullable Long jobs) {
		return new OperationOutcome(RecordedOperation.State.DONE, message, jobs);
	}

	/** Creates the outcome of an operation that was refused and changed nothing. */
	public static OperationOutcome refused(String message) {
		return new OperationOutcome(RecordedOperation.State.REFUSED, message, null);
	}

	/**
	 * Creates the outcome of an operation that failed; it is unknown what was changed.
	 */
	public static OperationOutcome failed(String message) {
		return new OperationOutcome(RecordedOperation.State.FAILED, message, null);
	}

}
