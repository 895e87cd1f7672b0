package io.rowqueue.test.shop;

import java.time.Duration;

import io.rowqueue.JobHandlers;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.SnoozeJobException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/**
 * Registers handlers in code: one that puts its job off for no time at all, and one that
 * enqueues another job like its own.
 */
@Component
class Again implements JobHandlers.Registrar {

	private final ObjectProvider<JobQueue> queue;

	Again(ObjectProvider<JobQueue> queue) {
		this.queue = queue;
	}

	@Override
	public void register(JobHandlers handlers) {
		handlers.add("again", Object.class, (payload, context) -> {
			throw SnoozeJobException.by(Duration.ZERO, "again");
		});
		handlers.add("next", Object.class, (payload, context) -> this.queue.getObject().enqueue(JobRequest.of("next")));
	}

}
