package io.rowqueue.engine.database;

import io.rowqueue.JobQueueException;

/** The application uses the queue, which is switched off. */
public class QueueDisabledException extends JobQueueException {

	static final String BY_PROPERTY = "The job queue is disabled by rowqueue.enabled=false: no job can be enqueued, read"
			+ " or changed. Remove the property, or, in a test, record jobs without running them with @RecordJobs of"
			+ " rowqueue-spring-boot-starter-test.";

	/** Creates the exception of a queue that properties have switched off. */
	public QueueDisabledException() {
		this(BY_PROPERTY);
	}

	QueueDisabledException(String message) {
		super(message);
	}

}
