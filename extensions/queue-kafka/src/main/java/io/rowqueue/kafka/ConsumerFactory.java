package io.rowqueue.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.rowqueue.engine.support.SuspendAwareClock;
import io.rowqueue.transport.JobConsumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Creates the clients of consumers. */
final class ConsumerFactory {

	/** Settings of consumer groups, which a share consumer refuses. */
	private static final List<String> NOT_OF_SHARE_GROUPS = List.of(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
			ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, ConsumerConfig.AUTO_COMMIT_INTERVAL_MS_CONFIG,
			ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, ConsumerConfig.ISOLATION_LEVEL_CONFIG,
			ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
			ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
			ConsumerConfig.GROUP_PROTOCOL_CONFIG, ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG);

	private static final int MAX_POLL_RECORDS = 500;

	private static final Duration DEFAULT_MAX_POLL_INTERVAL = Duration.ofMinutes(5);

	private final Map<String, Object> settings;

	ConsumerFactory(ClientSettings settings) {
		this.settings = new HashMap<>(settings.consumer());
		this.settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
		this.settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
		ReconnectSettings.apply(this.settings);
		this.settings.remove(ConsumerConfig.CLIENT_ID_CONFIG);
		this.settings.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
	}

	JobConsumer create(CarriedType type) {
		return (type.kind() == GroupType.SHARE) ? share(type) : consumer(type);
	}

	private JobConsumer share(CarriedType type) {
		Map<String, Object> all = new HashMap<>(this.settings);
		all.keySet().removeAll(NOT_OF_SHARE_GROUPS);
		all.put(ConsumerConfig.GROUP_ID_CONFIG, type.group());
		all.put(ConsumerConfig.SHARE_ACKNOWLEDGEMENT_MODE_CONFIG, "explicit");
		all.put(ConsumerConfig.SHARE_ACQUIRE_MODE_CONFIG, "record_limit");
		// a process without room does not poll; locks end if the process does not renew
		// them
		all.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, Integer.MAX_VALUE);
		return new ShareGroupConsumer(type, all, KafkaShareConsumer::new, SuspendAwareClock::nanoTime);
	}

	private JobConsumer consumer(CarriedType type) {
		Map<String, Object> all = new HashMap<>(this.settings);
		all.put(ConsumerConfig.GROUP_ID_CONFIG, type.group());
		all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
		all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
		all.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MAX_POLL_RECORDS);
		if (type.currentProtocol()) {
			all.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "consumer");
			all.remove(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG);
			all.remove(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG);
			all.remove(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG);
		}
		else {
			all.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
			all.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, (int) ConsumerGroupConsumer.CLASSIC_SESSION.toMillis());
			all.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
					"org.apache.kafka.clients.consumer.CooperativeStickyAssignor");
		}
		try {
			return new ConsumerGroupConsumer(type.excludedAfter(maxPollInterval(all)), type.topic(),
					() -> new KafkaConsumer<>(all), SuspendAwareClock::nanoTime);
		}
		catch (KafkaException ex) {
			throw KafkaErrors.of("The consumer of " + type.type() + " cannot be created", ex);
		}
	}

	/** A client that has not polled for longer leaves the group. */
	private static Duration maxPollInterval(Map<String, Object> settings) {
		Object millis = settings.get(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG);
		return (millis != null)
				? Duration.ofMillis((Integer) Objects.requireNonNull(
						ConfigDef.parseType(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, millis, ConfigDef.Type.INT)))
				: DEFAULT_MAX_POLL_INTERVAL;
	}

}
