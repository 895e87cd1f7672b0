package io.rowqueue.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Topics that the broker lacks, since they were deleted. The client waits for seconds
 * until it gives up a topic, and so asks for each of them only now and then.
 */
final class MissingTopics {

	static final Duration PAUSE = Duration.ofSeconds(30);

	private static final Logger logger = LoggerFactory.getLogger(MissingTopics.class);

	private final LongSupplier nanoTime;

	/** When the broker is asked for the topic again. */
	private final Map<String, Long> askAgainAt = new ConcurrentHashMap<>();

	MissingTopics(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Returns whether the topic is missing. False as well if it is time to ask for it
	 * again: one caller does.
	 */
	boolean contains(String topic) {
		Long known = this.askAgainAt.get(topic);
		return known != null && (known - this.nanoTime.getAsLong() > 0
				|| !this.askAgainAt.replace(topic, known, this.nanoTime.getAsLong() + PAUSE.toNanos()));
	}

	/** The broker has said that it lacks the topic. */
	void add(String topic) {
		if (this.askAgainAt.put(topic, this.nanoTime.getAsLong() + PAUSE.toNanos()) == null) {
			logger.error("The topic {} does not exist any more: workers run its jobs from the database until it does."
					+ " Create it, with the settings that docs/kafka.md names, or restart a process that may"
					+ " create topics. It is looked up again every {} seconds", topic, PAUSE.toSeconds());
		}
	}

	/** The broker has the topic. */
	void remove(String topic) {
		if (this.askAgainAt.remove(topic) != null) {
			logger.info("The topic {} exists again: Kafka carries its jobs", topic);
		}
	}

}
