package io.pgqueue.autoconfigure;

import io.pgqueue.JobQueueException;
import org.jspecify.annotations.Nullable;

/** It is not clear which database is the queue's. */
class QueueDataSourceException extends JobQueueException {

	static final String REMEDY = "Annotate the DataSource bean that leads to the queue's database with "
			+ "@QueueDataSource, or make one of them @Primary; queue.enabled=false switches the queue off.";

	private final String problem;

	QueueDataSourceException(String problem) {
		this(problem, null);
	}

	QueueDataSourceException(String problem, @Nullable Throwable cause) {
		super(problem + " " + REMEDY, cause);
		this.problem = problem;
	}

	String problem() {
		return this.problem;
	}

}
