package io.rowqueue.autoconfigure.admin;

import java.sql.SQLException;

import io.rowqueue.admin.operation.OperationOutcome;
import io.rowqueue.engine.database.QueueDisabledException;
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
public record CommandResult(Outcome outcome, String message, @Nullable Integer jobs, @Nullable Long job,
		@Nullable Long operation) {

	private static final Logger logger = LoggerFactory.getLogger(CommandResult.class);

	static CommandResult done(String message) {
		return new CommandResult(Outcome.DONE, message, null, null, null);
	}

	/**
	 * The result of a request for a state.
	 * @param changed whether the target was in another state before
	 */
	static CommandResult of(boolean changed, String message, String unchanged) {
		return changed ? done(message) : new CommandResult(Outcome.UNCHANGED, unchanged, null, null, null);
	}

	/** The message follows the number of jobs. */
	static CommandResult done(int jobs, String message) {
		return new CommandResult(Outcome.DONE, jobs + " " + message, jobs, null, null);
	}

	static CommandResult notFound(String message) {
		return new CommandResult(Outcome.NOT_FOUND, message, null, null, null);
	}

	static CommandResult conflict(String message) {
		return new CommandResult(Outcome.CONFLICT, message, null, null, null);
	}

	static CommandResult keyTaken() {
		return new CommandResult(Outcome.KEY_TAKEN, "another job has its unique key", null, null, null);
	}

	/** The row is another one than the caller has seen. */
	static CommandResult changed() {
		return new CommandResult(Outcome.CHANGED, "the job has changed since it was read", null, null, null);
	}

	static CommandResult enqueued(long job) {
		return enqueued(job, "");
	}

	static CommandResult enqueued(long job, String hint) {
		return new CommandResult(Outcome.DONE, "job " + job + " is queued" + hint, null, job, null);
	}

	/**
	 * The request makes no sense, and nothing was changed.
	 * @param message why
	 */
	public static CommandResult invalid(String message) {
		return new CommandResult(Outcome.INVALID, message, null, null, null);
	}

	static CommandResult failed(RuntimeException reason) {
		return new CommandResult(Outcome.FAILED, "failed: " + reason.getClass().getName(), null, null, null);
	}

	/**
	 * The queue is off.
	 * @param reason why
	 */
	public static CommandResult off(QueueDisabledException reason) {
		return new CommandResult(Outcome.UNAVAILABLE, String.valueOf(reason.getMessage()), null, null, null);
	}

	/**
	 * The log has the message of the database, which can quote data that the caller may
	 * not see.
	 */
	public static CommandResult unavailable(DataAccessException reason) {
		logger.warn("A command failed: the queue's database is not available, or rejected a statement: {}",
				ErrorText.summary(reason.getMostSpecificCause()));
		String state = (reason.getMostSpecificCause() instanceof SQLException ex) ? ex.getSQLState() : null;
		return new CommandResult(Outcome.UNAVAILABLE, "the queue's database is not available, or rejected a statement"
				+ ((state != null) ? " (SQL state " + state + ")" : "") + "; see the log", null, null, null);
	}

	CommandResult withOperation(long id) {
		return new CommandResult(this.outcome, this.message, this.jobs, this.job, id);
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
