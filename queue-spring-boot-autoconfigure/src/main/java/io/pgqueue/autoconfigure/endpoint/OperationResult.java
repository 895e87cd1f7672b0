package io.pgqueue.autoconfigure.endpoint;

import org.jspecify.annotations.Nullable;

/**
 * What became of an operation.
 *
 * @param outcome whether it was done
 * @param message the same in words
 * @param jobs how many jobs it was done to, if it could be any number
 */
record OperationResult(Outcome outcome, String message, @Nullable Integer jobs) {

	/** Whether an operation was done. */
	enum Outcome {

		/** It is as was asked for. */
		DONE,

		/** There is nothing of that name. */
		NOT_FOUND,

		/** What is there is in no state for it. */
		CONFLICT

	}

}
