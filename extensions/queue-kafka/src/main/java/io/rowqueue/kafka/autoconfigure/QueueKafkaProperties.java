package io.rowqueue.kafka.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.rowqueue.kafka.ClientSettings;
import io.rowqueue.kafka.GroupType;
import io.rowqueue.kafka.KafkaSettings;
import io.rowqueue.transport.TransportSettings;
import org.apache.kafka.clients.CommonClientConfigs;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

/**
 * Kafka as the transport of jobs.
 *
 * @param types Types of jobs that Kafka carries. All other types, and all jobs of these
 * types that are delayed, have keys or depend on other jobs, are in the database only.
 * @param enqueue How new jobs get to Kafka: through the outbox of the database, directly
 * where a single job is enqueued outside of a transaction, or not at all. What Kafka has
 * is run in any case.
 * @param groupType Kind of group that workers form: a share group, a consumer group, or
 * whichever suits the broker.
 * @param partitions Number of partitions of topics that are created.
 * @param createTopics Whether to create topics that are missing.
 * @param parkAfter How long a job may wait or run in a process before the database takes
 * it over from Kafka. If a duration suffix is not specified, seconds will be used.
 * @param maxPayloadSize Maximum size of a payload that Kafka carries. Jobs with larger
 * ones are in the database only.
 * @param history Whether jobs that have succeeded are stored in the history.
 * @param fallbackAfter How long Kafka must have been away for jobs to run from the
 * database instead. Zero: they wait for Kafka. If a duration suffix is not specified,
 * seconds will be used.
 * @param maxParkedPerSecond Number of jobs per second that a process may hand over to the
 * database before it receives fewer of them from Kafka.
 * @param properties Properties of Kafka's clients, in addition to those of spring.kafka.
 */
@ConfigurationProperties("rowqueue.kafka")
record QueueKafkaProperties(@DefaultValue Set<String> types, @DefaultValue("outbox") Enqueue enqueue,
		@DefaultValue("auto") GroupType groupType, @DefaultValue("12") int partitions,
		@DefaultValue("true") boolean createTopics,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("2s") Duration parkAfter,
		@DefaultValue("256KB") DataSize maxPayloadSize, @DefaultValue("false") boolean history,
		@DurationUnit(ChronoUnit.SECONDS) @DefaultValue("5m") Duration fallbackAfter,
		@DefaultValue("1000") int maxParkedPerSecond, @DefaultValue Map<String, String> properties) {

	/** Boot shows the message; it begins with the name of the value. */
	QueueKafkaProperties {
		try {
			transport(enqueue, parkAfter, maxPayloadSize, history, fallbackAfter, maxParkedPerSecond);
			new KafkaSettings("rowqueue", types, groupType, partitions, createTopics);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("rowqueue.kafka." + dashed(String.valueOf(ex.getMessage())));
		}
	}

	TransportSettings transport() {
		return transport(this.enqueue, this.parkAfter, this.maxPayloadSize, this.history, this.fallbackAfter,
				this.maxParkedPerSecond);
	}

	KafkaSettings settings(String schema) {
		return new KafkaSettings(schema, this.types, this.groupType, this.partitions, this.createTopics);
	}

	/** The settings of clients that are given here alone. */
	ClientSettings clients() {
		if (!this.properties.containsKey(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)) {
			throw new InvalidConfigurationPropertyValueException("rowqueue.kafka.types", this.types,
					"Kafka has no address: add spring-boot-starter-kafka and set spring.kafka.bootstrap-servers,"
							+ " or set rowqueue.kafka.properties[bootstrap.servers]");
		}
		Map<String, Object> settings = new HashMap<>(this.properties);
		return new ClientSettings(settings, settings, settings);
	}

	private static TransportSettings transport(Enqueue enqueue, Duration parkAfter, DataSize maxPayloadSize,
			boolean history, Duration fallbackAfter, int maxParkedPerSecond) {
		return new TransportSettings(enqueue != Enqueue.OFF, enqueue == Enqueue.DIRECT, parkAfter, maxPayloadSize,
				history, fallbackAfter, maxParkedPerSecond);
	}

	private static String dashed(String message) {
		int end = Math.max(0, message.indexOf(' '));
		return message.substring(0, end).replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT) + message.substring(end);
	}

	/** Values may be passwords. */
	@Override
	public String toString() {
		return "QueueKafkaProperties[types=" + this.types + "]";
	}

	/** How new jobs get to Kafka. */
	enum Enqueue {

		/** In the transaction of the caller, into the outbox of the database. */
		OUTBOX,

		/**
		 * A single job that is enqueued outside of a transaction: at once, without the
		 * database. All others: through the outbox.
		 */
		DIRECT,

		/** Not at all: new jobs are in the database only. */
		OFF

	}

}
