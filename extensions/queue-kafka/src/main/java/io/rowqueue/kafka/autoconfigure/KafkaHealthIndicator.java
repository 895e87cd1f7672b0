package io.rowqueue.kafka.autoconfigure;

import java.util.Map;
import java.util.TreeMap;

import io.rowqueue.autoconfigure.QueueProperties.Health.ProblemStatus;
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

	private final ProblemStatus problemStatus;

	KafkaHealthIndicator(KafkaTransport transport, ProblemStatus problemStatus) {
		super("The health check of Kafka failed");
		this.transport = transport;
		this.problemStatus = problemStatus;
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
			builder.status((this.problemStatus == ProblemStatus.DOWN) ? Status.DOWN : DEGRADED)
				.withDetail("problems", problems);
		}
	}

}
