package io.rowqueue.autoconfigure.worker;

import io.rowqueue.JobContext;
import io.rowqueue.JobFailedEvent;
import io.rowqueue.listen.AttemptEnd;
import io.rowqueue.listen.JobListener;
import org.springframework.context.ApplicationEventPublisher;

/** Publishes an event for each job that failed permanently. */
class JobEvents implements JobListener {

	private final ApplicationEventPublisher publisher;

	JobEvents(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
	}

	@Override
	public void failed(JobContext job, AttemptEnd end) {
		this.publisher.publishEvent(new JobFailedEvent(job, end.error()));
	}

}
