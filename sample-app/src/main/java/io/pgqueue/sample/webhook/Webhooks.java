package io.pgqueue.sample.webhook;

import io.pgqueue.JobQueue;
import org.springframework.stereotype.Component;

/** Tells other systems what has happened here. */
@Component
public class Webhooks {

	private final JobQueue queue;

	private final boolean limitHosts;

	private final String host;

	Webhooks(JobQueue queue, WebhookProperties properties) {
		this.queue = queue;
		this.limitHosts = properties.limitHosts();
		this.host = (properties.url() != null) ? properties.url().getHost() : "localhost";
	}

	/**
	 * Enqueues a webhook in the caller's transaction.
	 * @param webhook what has happened
	 * @return the id of its job
	 */
	public long send(Webhook webhook) {
		return this.queue.enqueue(this.limitHosts ? webhook.toJob(this.host) : webhook.toJob()).id();
	}

}
