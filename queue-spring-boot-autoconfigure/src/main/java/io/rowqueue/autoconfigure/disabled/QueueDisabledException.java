package io.rowqueue.autoconfigure.disabled;

import io.rowqueue.JobQueueException;

/** The application uses the queue, which is switched off. */
public class QueueDisabledException extends JobQueueException {

	static final String BY_PROPERTY = "The job queue is disabled by rowqueue.enabled=false: no job can be enqueued, read"
			+ " or changed. Remove the property, or, in a test, record jobs without running them with @RecordJobs of"
			+ " rowqueue-spring-boot-starter-test.";

	QueueDisabledException(String message) {
		super(message);
	}

}
