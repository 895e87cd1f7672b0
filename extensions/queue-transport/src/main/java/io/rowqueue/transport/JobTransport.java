package io.rowqueue.transport;

import java.util.OptionalLong;
import java.util.Set;

import org.jspecify.annotations.Nullable;

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

	/**
	 * Creates a consumer of the jobs that the broker has given up because they were
	 * delivered too often. {@link Delivery#count()} is how often.
	 * @param type one of {@link #types()}
	 * @return the consumer, which the caller closes; {@code null} if this broker never
	 * gives up a job
	 */
	default @Nullable JobConsumer createDeadLetterConsumer(String type) {
		return null;
	}

	/**
	 * Deletes what all consumers have acknowledged, if the broker does not do so by
	 * itself. One process calls this method about once a minute.
	 * @throws TransportException if the broker cannot be reached or refuses it
	 */
	default void deleteAcknowledged() {
	}

	/**
	 * Returns how many jobs of a type the broker holds, as it was a few seconds ago. The
	 * method does not wait for the broker.
	 * @param type one of {@link #types()}
	 * @return the number of jobs that have not been acknowledged; empty if it is not
	 * known
	 */
	default OptionalLong lag(String type) {
		return OptionalLong.empty();
	}

}
