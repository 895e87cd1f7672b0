package io.pgqueue.autoconfigure.disabled;

import io.pgqueue.JobQueueException;

/** The application uses the queue, which is switched off. */
class QueueDisabledException extends JobQueueException {

	QueueDisabledException() {
		super("The job queue is disabled by pgqueue.enabled=false: no job can be enqueued, read or changed."
				+ " Remove the property, or, in a test, replace the JobQueue bean, for example with @MockitoBean.");
	}

}
