package io.rowqueue.autoconfigure.disabled;

import io.rowqueue.JobQueueException;

/** The application uses the queue, which is switched off. */
public class QueueDisabledException extends JobQueueException {

	static final String BY_PROPERTY = "The job queue is disabled by rowqueue.enabled=false: no job can be enqueued, read"
			+ " or changed. Remove the property, or, in a test or a development profile, set"
			+ " rowqueue.disabled-mode=record to record jobs without running them.";

	QueueDisabledException(String message) {
		super(message);
	}

}
