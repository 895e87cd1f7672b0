package io.rowqueue.kafka.autoconfigure;

import java.util.Map;
import java.util.TreeMap;

import io.rowqueue.kafka.KafkaTransport;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Shows how many jobs Kafka holds and whether it answers, from memory: a probe never
 * waits for the broker.
 */
class KafkaHealthIndicator extends AbstractHealthIndicator {

	/** A status that Boot's aggregation passes over. */
	private static final Status DEGRADED = new Status("DEGRADED", "The queue needs attention");

	private final KafkaTransport transport;

	private final boolean down;

	/**
	 * Creates the indicator.
	 * @param down whether the application is down if Kafka does not answer
	 */
	KafkaHealthIndicator(KafkaTransport transport, boolean down) {
		super("The health check of Kafka failed");
		this.transport = transport;
		this.down = down;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Map<String, Long> lags = new TreeMap<>();
		Map<String, String> problems = new TreeMap<>();
		for (String type : this.transport.types()) {
			this.transport.lag(type).ifPresent((lag) -> lags.put(type, lag));
			this.transport.lagError(type).ifPresent((error) -> problems.put(type, error));
		}
		builder.up().withDetail("lag", lags);
		if (!problems.isEmpty()) {
			builder.status(this.down ? Status.DOWN : DEGRADED).withDetail("problems", problems);
		}
	}

}
