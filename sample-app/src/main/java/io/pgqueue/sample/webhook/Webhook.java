package io.pgqueue.sample.webhook;

import java.time.Instant;

import io.pgqueue.JobRequest;

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
	 * <<<<<<< HEAD Returns the request for the job that delivers it. It has six attempts,
	 * because receivers can be unavailable for some time. ======= The job that delivers
	 * it. Receivers are out of order for longer than a moment: six attempts. >>>>>>>
	 * 5880f507b673d5a21d780fc481ae72a254449cef
	 * @return a request to enqueue
	 */
	JobRequest toJob() {
		return JobRequest.of(TYPE, this).queue("webhooks").maxAttempts(6);
	}

	/**
	 * <<<<<<< HEAD Returns the request for the job that delivers it. Deliveries to the
	 * same host share a limit, which {@code pgqueue.limits.keys.host} sets.
	 * @param host the host of the receiver ======= The job that delivers it to a receiver
	 * that is not to be overrun: what is for one host has a limit of its own, which
	 * {@code pgqueue.limits.keys.host} sets.
	 * @param host who receives it >>>>>>> 5880f507b673d5a21d780fc481ae72a254449cef
	 * @return a request to enqueue
	 */
	JobRequest toJob(String host) {
		return toJob().limitKey("host:" + host);
	}

}
