package io.rowqueue.admin.operation;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of an operation.
 *
 * @since 0.1.0
 */
public final class OperationOutcome {

	private final RecordedOperation.State state;

	private final String message;

	private final @Nullable Long jobs;

	private OperationOutcome(RecordedOperation.State state, String message, @Nullable Long jobs) {
		this.state = state;
		this.message = message;
		this.jobs = jobs;
	}

	/**
	 * Creates the outcome of an operation that succeeded.
	 * @param message the outcome in words
	 * @param jobs the number of affected jobs, or {@code null} for operations on other
	 * targets
	 */
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

	/** Returns whether it was done, refused or failed. */
	public RecordedOperation.State state() {
		return this.state;
	}

	/** Returns the same in words. */
	public String message() {
		return this.message;
	}

	/** Returns how many jobs it was done to, or {@code null} if it does not apply. */
	public @Nullable Long jobs() {
		return this.jobs;
	}

}
