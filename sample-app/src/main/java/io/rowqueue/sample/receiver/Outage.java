package io.rowqueue.sample.receiver;

/** Decides when the receiver is unavailable. */
@FunctionalInterface
interface Outage {

	/**
	 * Returns whether a delivery fails.
	 * @param webhookId the id of the webhook
	 * @return {@code true} to respond with 503
	 */
	boolean strikes(String webhookId);

}
