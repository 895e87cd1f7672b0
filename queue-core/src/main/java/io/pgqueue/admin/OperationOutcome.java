package io.pgqueue.admin;

import org.jspecify.annotations.Nullable;

/**
 * What became of an operation.
 *
 * @param state {@link RecordedOperation.State#DONE},
 * {@link RecordedOperation.State#REFUSED} or {@link RecordedOperation.State#FAILED}
 * @param message the same in words
 * @param jobs how many jobs it was done to, if it could be any number
 * @since 0.1.0
 */
public record OperationOutcome(RecordedOperation.State state, String message, @Nullable Long jobs) {

	/** It was done. */
	public static OperationOutcome done(String message, @Nullable Long jobs) {
		return new OperationOutcome(RecordedOperation.State.DONE, message, jobs);
	}

	/** Nothing was done. */
	public static OperationOutcome refused(String message) {
		return new OperationOutcome(RecordedOperation.State.REFUSED, message, null);
	}

	/** It failed, and it is not known what was done. */
	public static OperationOutcome failed(String message) {
		return new OperationOutcome(RecordedOperation.State.FAILED, message, null);
	}

}
