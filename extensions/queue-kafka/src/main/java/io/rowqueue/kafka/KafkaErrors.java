package io.rowqueue.kafka;

import java.util.concurrent.ExecutionException;

import io.rowqueue.transport.TransportException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Turns the exceptions of Kafka's clients into those of the transport. */
final class KafkaErrors {

	private KafkaErrors() {
	}

	/**
	 * Whether a client that has thrown this exception from a poll never receives again,
	 * also when the cause has ended: it has been refused as a member of its group.
	 */
	static boolean endsMembership(KafkaException ex) {
		return ex instanceof ApiException && !(ex instanceof RetriableException)
				&& !(ex instanceof TopicAuthorizationException);
	}

	/**
	 * Whether a producer that has failed with this exception never publishes again, also
	 * when the cause has ended. What is no {@link ApiException} says that it is in such a
	 * state, or closed.
	 */
	static boolean endsProducer(Throwable ex) {
		return !(ex instanceof ApiException) || ex instanceof AuthenticationException
				|| ex instanceof ClusterAuthorizationException || ex instanceof ProducerFencedException
				|| ex instanceof InvalidProducerEpochException || ex instanceof OutOfOrderSequenceException
				|| ex instanceof UnsupportedVersionException;
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
			return new BrokerRefusalException(problem, "Use a newer broker, or rowqueue.kafka.group-type=consumer.",
					cause);
		}
		return new TransportException(problem, cause);
	}

}
