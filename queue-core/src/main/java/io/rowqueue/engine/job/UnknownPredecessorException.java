package io.rowqueue.engine.job;

import io.rowqueue.JobQueueException;

/** Rejects a job that is to run after one that is not in its database. */
public final class UnknownPredecessorException extends JobQueueException {

	UnknownPredecessorException(long id) {
		super(("There is no job %s to run after: its enqueue was not committed or was rolled back, or it has"
				+ " finished and is no longer retained. A job that a message broker carries cannot be followed:"
				+ " enqueue it with inDatabase()")
			.formatted(id));
	}

}
