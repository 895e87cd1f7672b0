package io.pgqueue.autoconfigure.endpoint;

import io.pgqueue.support.ErrorText;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;

/**
 * What became of an operation.
 *
 * @param outcome whether it was done
 * @param message the same in words
 * @param jobs how many jobs it was done to, if it could be any number
 */
record OperationResult(Outcome outcome, String message, @Nullable Integer jobs) {

	static OperationResult done(String message) {
		return new OperationResult(Outcome.DONE, message, null);
	}

	/** It was done to so many jobs, which the message goes on to say of them. */
	static OperationResult done(int jobs, String message) {
		return new OperationResult(Outcome.DONE, jobs + " " + message, jobs);
	}

	static OperationResult notFound(String message) {
		return new OperationResult(Outcome.NOT_FOUND, message, null);
	}

	static OperationResult conflict(String message) {
		return new OperationResult(Outcome.CONFLICT, message, null);
	}

	static OperationResult invalid(String message) {
		return new OperationResult(Outcome.INVALID, message, null);
	}

	static OperationResult failed(RuntimeException reason) {
		return new OperationResult(Outcome.FAILED, "failed: " + reason.getClass().getName(), null);
	}

	static OperationResult unavailable(DataAccessException reason) {
		return new OperationResult(Outcome.UNAVAILABLE,
				"the queue's database is away or refuses: " + ErrorText.summary(reason.getMostSpecificCause()), null);
	}

	/** Whether an operation was done. */
	enum Outcome {

		/** It is as was asked for. */
		DONE,

		/** There is nothing of that name. */
		NOT_FOUND,

		/** What is there is in no state for it. */
		CONFLICT,

		/** The database is away or refuses. */
		UNAVAILABLE,

		/** The request makes no sense, and nothing was done. */
		INVALID,

		/** Something else went wrong, and it is not known what was done. */
		FAILED

	}

}
