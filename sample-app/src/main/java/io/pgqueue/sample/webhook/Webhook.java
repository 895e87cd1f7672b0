package io.pgqueue.sample.webhook;

import java.time.Instant;

import io.pgqueue.JobRequest;

/**
 * Something that happened here and that another system wants to know. Its JSON is what
 * that system receives.
 *
 * @param type what happened, such as {@code user.signed-up}
 * @param timestamp when it happened
 * @param data to whom or what, anything that maps to JSON
 */
public record Webhook(String type, Instant timestamp, Object data) {

	static final String TYPE = "webhook";

	/**
	 * The job that delivers it. Receivers are out of order for longer than a moment: six
	 * attempts.
	 * @return a request to enqueue
	 */
	JobRequest toJob() {
		return JobRequest.of(TYPE, this).queue("webhooks").maxAttempts(6);
	}

	/**
	 * The job that delivers it to a receiver that is not to be overrun: what is for one
	 * host has a limit of its own, which {@code pgqueue.limits.keys.host} sets.
	 * @param host who receives it
	 * @return a request to enqueue
	 */
	JobRequest toJob(String host) {
		return toJob().limitKey("host:" + host);
	}

}
