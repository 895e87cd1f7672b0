package io.pgqueue.autoconfigure.worker;

import io.pgqueue.JobContext;
import io.pgqueue.JobFailedEvent;
import io.pgqueue.listen.AttemptEnd;
import io.pgqueue.listen.JobListener;
import org.springframework.context.ApplicationEventPublisher;

/** Publishes what somebody may want to know of who looks after the application. */
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
