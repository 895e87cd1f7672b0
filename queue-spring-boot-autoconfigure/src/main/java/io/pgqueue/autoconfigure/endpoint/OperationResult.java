package io.pgqueue.autoconfigure.endpoint;

import java.sql.SQLException;

import io.pgqueue.admin.OperationOutcome;
import io.pgqueue.engine.support.ErrorText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * What became of an operation.
 *
 * @param outcome whether it was done
 * @param message the same in words
 * @param jobs how many jobs it was done to, if it could be any number
 * @param job the job that it has enqueued
 * @param operation its record; {@code null}: it could not be recorded
 */
public record OperationResult(Outcome outcome, String message, @Nullable Integer jobs, @Nullable Long job,
		@Nullable Long operation) {

	private static final Logger logger = LoggerFactory.getLogger(OperationResult.class);

	static OperationResult done(String message) {
		return new OperationResult(Outcome.DONE, message, null, null, null);
	}

	/** It was done to so many jobs, which the message goes on to say of them. */
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

	/**
	 * The database's own words are in the log: they can quote what not everybody may see.
	 */
	static OperationResult unavailable(DataAccessException reason) {
		logger.warn(
				"The operation of the endpoint failed because the queue's database is not available or rejects it: {}",
				ErrorText.summary(reason.getMostSpecificCause()));
		String state = (reason.getMostSpecificCause() instanceof SQLException ex) ? ex.getSQLState() : null;
		return new OperationResult(Outcome.UNAVAILABLE, "the queue's database is away or refuses"
				+ ((state != null) ? " (SQL state " + state + ")" : "") + "; see the log", null, null, null);
	}

	OperationResult withOperation(long id) {
		return new OperationResult(this.outcome, this.message, this.jobs, this.job, id);
	}

	/** What is recorded of it. */
	OperationOutcome recorded() {
		return switch (this.outcome) {
			case DONE -> OperationOutcome.done(this.message, (this.jobs != null) ? this.jobs.longValue() : null);
			case NOT_FOUND, CONFLICT, KEY_TAKEN, CHANGED, INVALID -> OperationOutcome.refused(this.message);
			case UNAVAILABLE, FAILED -> OperationOutcome.failed(this.message);
		};
	}

	/** Whether an operation was done. */
	public enum Outcome {

		/** It is as was asked for. */
		DONE,

		/** There is nothing of that name. */
		NOT_FOUND,

		/** What is there is in no state for it. */
		CONFLICT,

		/** Another job has the unique key of the job. */
		KEY_TAKEN,

		/** The job has changed since the caller has read it. */
		CHANGED,

		/** The database is away or refuses. */
		UNAVAILABLE,

		/** The request makes no sense, and nothing was done. */
		INVALID,

		/** Something else went wrong, and it is not known what was done. */
		FAILED

	}

}
