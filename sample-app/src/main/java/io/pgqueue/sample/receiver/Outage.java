package io.pgqueue.sample.receiver;

/** Decides when the receiver is out of order. */
@FunctionalInterface
interface Outage {

	/**
	 * Whether this delivery fails.
	 * @param webhookId what is delivered
	 * @return {@code true} to answer 503
	 */
	boolean strikes(String webhookId);

}
