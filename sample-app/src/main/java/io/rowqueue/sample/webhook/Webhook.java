package io.rowqueue.sample.webhook;

import java.time.Instant;

import io.rowqueue.JobRequest;

/**
 * An event that another system is notified of. Its JSON is the body of the request.
 *
 * @param type what happened, such as {@code user.signed-up}
 * @param timestamp when it happened
 * @param data the data of the event, which is mapped to JSON
 */
public record Webhook(String type, Instant timestamp, Object data) {

	static final String TYPE = "webhook";

	/**
	 * Returns the request for the job that delivers it. It has six attempts, because
	 * receivers can be unavailable for some time.
	 * @return a request to enqueue
	 */
	JobRequest toJob() {
		return JobRequest.of(TYPE, this).queue("webhooks").maxAttempts(6);
	}

	/**
	 * Returns the request for the job that delivers it. Deliveries to the same host share
	 * a limit, which {@code rowqueue.limits.keys.host} sets.
	 * @param host the host of the receiver
	 * @return a request to enqueue
	 */
	JobRequest toJob(String host) {
		return toJob().limitKey("host:" + host);
	}

}
