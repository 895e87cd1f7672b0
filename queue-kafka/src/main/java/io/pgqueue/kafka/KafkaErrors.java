package io.pgqueue.kafka;

import java.util.concurrent.ExecutionException;

import io.pgqueue.transport.TransportException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Turns the exceptions of Kafka's clients into those of the transport. */
final class KafkaErrors {

	private KafkaErrors() {
	}

	/**
	 * Returns the exception for the caller.
	 * @param what what failed, as in "Topic x cannot be created"
	 * @param ex the exception of the client
	 */
	static TransportException of(String what, Throwable ex) {
		Throwable cause = (ex instanceof ExecutionException && ex.getCause() != null) ? ex.getCause() : ex;
		if (cause instanceof TransportException known) {
			return known;
		}
		String problem = what + ": " + cause.getMessage();
		if (cause instanceof AuthorizationException) {
			return new BrokerRefusalException(problem,
					"Grant the user of this application the privileges that docs/kafka.md lists.", cause);
		}
		if (cause instanceof AuthenticationException) {
			return new BrokerRefusalException(problem,
					"Check the login, as in spring.kafka.properties and" + " spring.kafka.security.protocol.", cause);
		}
		if (cause instanceof UnsupportedVersionException) {
			return new BrokerRefusalException(problem, "Use a newer broker, or pgqueue.kafka.group-type=consumer.",
					cause);
		}
		return new TransportException(problem, cause);
	}

}
