package io.pgqueue.autoconfigure.worker;

import io.pgqueue.JobContext;
import io.pgqueue.JobFailedEvent;
import io.pgqueue.listen.AttemptEnd;
import io.pgqueue.listen.JobListener;
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
