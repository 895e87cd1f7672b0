package io.rowqueue.kafka;

import java.util.Map;

import org.apache.kafka.clients.CommonClientConfigs;

/**
 * How clients reconnect while no broker can be reached: they try those that they know,
 * with the pauses of {@code reconnect.backoff.ms} and its maximum. With the default of
 * Kafka 4, {@code rebootstrap}, the clients of version 4.2.1 start from their bootstrap
 * servers in a loop without a pause, and log each turn.
 */
final class ReconnectSettings {

	private ReconnectSettings() {
	}

	/** Leaves what the application has set as it is. */
	static void apply(Map<String, Object> settings) {
		settings.putIfAbsent(CommonClientConfigs.METADATA_RECOVERY_STRATEGY_CONFIG, "none");
	}

}
