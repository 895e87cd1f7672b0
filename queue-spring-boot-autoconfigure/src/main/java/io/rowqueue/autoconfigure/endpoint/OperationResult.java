package io.rowqueue.autoconfigure.endpoint;

import java.sql.SQLException;

import io.rowqueue.admin.operation.OperationOutcome;
import io.rowqueue.autoconfigure.disabled.QueueDisabledException;
import io.rowqueue.engine.support.ErrorText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * The result of an operation.
 *
 * @param outcome whether the operation succeeded
 * @param message the result in words
 * @param jobs the number of affected jobs, for operations on several jobs
 * @param job the id of the job that the operation has enqueued, or {@code null}
 * @param operation the id of its record, or {@code null} if it could not be recorded
 */
public record OperationResult(Outcome outcome, String message, @Nullable Integer jobs, @Nullable Long job,
		@Nullable Long operation) {

	private static final Logger logger = LoggerFactory.getLogger(OperationResult.class);

	static OperationResult done(String message) {
		return new OperationResult(Outcome.DONE, message, null, null, null);
	}

	/**
	 * The result of a request for a state.
	 * @param changed whether the target was in another state before
	 */
	static OperationResult of(boolean changed, String message, String unchanged) {
		return changed ? done(message) : new OperationResult(Outcome.UNCHANGED, unchanged, null, null, null);
	}

	/** The message follows the number of jobs. */
	static OperationResult done(int jobs, String message) {
		return new OperationResult(Outcome.DONE, jobs + " " + message, jobs, null, null);
	}

	static OperationResult notFound(String message) {
		return new OperationResult(Outcome.NOT_FOUND, message, null, null, null);
	}

	static OperationResult conflict(String message) {
		return new OperationResult(Outcome.CONFLICT, message, null, null, null);
	}

	static OperationResult keyTaken() {
		return new OperationResult(Outcome.KEY_TAKEN, "another job has its unique key", null, null, null);
	}

	/** The row is another one than the caller has seen. */
	static OperationResult changed() {
		return new OperationResult(Outcome.CHANGED, "the job has changed since it was read", null, null, null);
	}

	static OperationResult enqueued(long job) {
		return new OperationResult(Outcome.DONE, "job " + job + " is queued", null, job, null);
	}

	static OperationResult invalid(String message) {
		return new OperationResult(Outcome.INVALID, message, null, null, null);
	}

	static OperationResult failed(RuntimeException reason) {
		return new OperationResult(Outcome.FAILED, "failed: " + reason.getClass().getName(), null, null, null);
	}

	static OperationResult off(QueueDisabledException reason) {
		return new OperationResult(Outcome.UNAVAILABLE, String.valueOf(reason.getMessage()), null, null, null);
	}

	/**
	 * The log has the message of the database, which can quote data that the caller may
	 * not see.
	 */
	static OperationResult unavailable(DataAccessException reason) {
		logger.warn(
				"An operation of the endpoint failed: the queue's database is not available, or rejected a statement: {}",
				ErrorText.summary(reason.getMostSpecificCause()));
		String state = (reason.getMostSpecificCause() instanceof SQLException ex) ? ex.getSQLState() : null;
		return new OperationResult(Outcome.UNAVAILABLE, "the queue's database is not available, or rejected a statement"
				+ ((state != null) ? " (SQL state " + state + ")" : "") + "; see the log", null, null, null);
	}

	OperationResult withOperation(long id) {
		return new OperationResult(this.outcome, this.message, this.jobs, this.job, id);
	}

	/** Returns the outcome for the record of the operation. */
	OperationOutcome recorded() {
		return switch (this.outcome) {
			case DONE, UNCHANGED ->
				OperationOutcome.done(this.message, (this.jobs != null) ? this.jobs.longValue() : null);
			case NOT_FOUND, CONFLICT, KEY_TAKEN, CHANGED, INVALID -> OperationOutcome.refused(this.message);
			case UNAVAILABLE, FAILED -> OperationOutcome.failed(this.message);
		};
	}

	/** How an operation ended. */
	public enum Outcome {

		/** The requested change is in effect. */
		DONE,

		/** The target was in the requested state already. */
		UNCHANGED,

		/** The target does not exist. */
		NOT_FOUND,

		/** The state of the target does not allow the operation. */
		CONFLICT,

		/** Another job has the unique key of the job. */
		KEY_TAKEN,

		/** The job has changed since the caller has read it. */
		CHANGED,

		/** The database is not available, or rejected a statement. */
		UNAVAILABLE,

		/** The request is invalid, and nothing was changed. */
		INVALID,

		/** Any other failure; it is unknown whether anything was changed. */
		FAILED

	}

}
