package io.pgqueue.sample.webhook;

import java.net.URI;

import io.pgqueue.JobQueue;

import org.springframework.stereotype.Component;

/** Tells other systems what has happened here. */
@Component
public class Webhooks {

	private final JobQueue queue;

	private final WebhookProperties properties;

	Webhooks(JobQueue queue, WebhookProperties properties) {
		this.queue = queue;
		this.properties = properties;
	}

	/**
	 * Enqueues a webhook in the caller's transaction.
	 * @param webhook what has happened
	 * @return the id of its job
	 */
	public long send(Webhook webhook) {
		URI url = this.properties.url();
		return this.queue.enqueue(webhook.toJob((url != null) ? url.getHost() : "localhost")).id();
	}

}
