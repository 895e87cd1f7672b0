package io.rowqueue.sample.webhook;

import io.rowqueue.JobQueue;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.stereotype.Component;

/** Notifies other systems of events. */
@Component
@EnableConfigurationProperties(WebhookProperties.class) // in tests of a slice, too
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
	 * @param webhook the event
	 * @return the id of its job
	 */
	public long send(Webhook webhook) {
		return this.queue.enqueue(this.limitHosts ? webhook.toJob(this.host) : webhook.toJob()).id();
	}

}
