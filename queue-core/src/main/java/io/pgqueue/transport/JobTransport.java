package io.pgqueue.transport;

import java.util.Set;

/** A message broker that carries the jobs of some types. */
public interface JobTransport {

	/**
	 * Returns the name of the broker, for log lines and messages.
	 * @return the name, as in "Kafka"
	 */
	String name();

	/**
	 * Returns the types whose plain jobs the broker carries.
	 * @return the types of jobs
	 */
	Set<String> types();

	/**
	 * Returns how the queue uses the transport.
	 * @return the settings; {@link TransportSettings#DEFAULT} by default
	 */
	default TransportSettings settings() {
		return TransportSettings.DEFAULT;
	}

	/**
	 * Creates a publisher.
	 * @return the publisher; the caller closes it
	 */
	JobPublisher createPublisher();

	/**
	 * Creates a consumer.
	 * @param type one of {@link #types()}
	 * @return the consumer; the caller closes it
	 */
	JobConsumer createConsumer(String type);

}
