package io.pgqueue.sample.webhook;

import java.net.URI;

import io.pgqueue.JobQueue;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Notifies other systems of events. */
@Component
public class Webhooks {

	private final JobQueue queue;

	private final String host;

	Webhooks(JobQueue queue, @Value("${sample.webhooks.url:http://localhost}") URI url) {
		this.queue = queue;
		this.host = url.getHost();
	}

	/**
	 * Enqueues a webhook in the caller's transaction.
	 * @param webhook the event
	 * @return the id of its job
	 */
	public long send(Webhook webhook) {
		return this.queue.enqueue(webhook.toJob(this.host)).id();
	}

}
