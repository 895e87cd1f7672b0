package io.rowqueue.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topics of types, after they have been checked. One that cannot carry jobs as it is
 * set up is checked again now and then, and holds up no others.
 */
final class CheckedTopics {

	static final Duration PAUSE = Duration.ofSeconds(30);

	private static final Logger logger = LoggerFactory.getLogger(CheckedTopics.class);

	private final UnaryOperator<String> topics;

	private final LongSupplier nanoTime;

	/** When the topic of a type is checked again. */
	private final Map<String, Long> checkAgainAt = new ConcurrentHashMap<>();

	/**
	 * Creates it.
	 * @param topics returns the topic of a type, or throws a
	 * {@link BrokerRefusalException}
	 */
	CheckedTopics(UnaryOperator<String> topics, LongSupplier nanoTime) {
		this.topics = topics;
		this.nanoTime = nanoTime;
	}

	/** Returns the topic of a type; empty if it cannot carry jobs. */
	Optional<String> of(String type) {
		Long again = this.checkAgainAt.get(type);
		if (again != null && again - this.nanoTime.getAsLong() > 0) {
			return Optional.empty();
		}
		try {
			String topic = this.topics.apply(type);
			if (this.checkAgainAt.remove(type) != null) {
				logger.info("Kafka carries jobs of the type {} again", type);
			}
			return Optional.of(topic);
		}
		catch (BrokerRefusalException ex) {
			if (this.checkAgainAt.put(type, this.nanoTime.getAsLong() + PAUSE.toNanos()) == null) {
				logger.error("Kafka cannot carry jobs of the type {}: workers run them from the database until it can."
						+ " This is checked every {} seconds. {}", type, PAUSE.toSeconds(), ex.getMessage());
			}
			return Optional.empty();
		}
	}

}
