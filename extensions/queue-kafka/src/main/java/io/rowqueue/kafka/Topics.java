package io.rowqueue.kafka;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.rowqueue.transport.TransportException;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates topics, and checks that they keep each job until it has been received. */
final class Topics {

	private static final Logger logger = LoggerFactory.getLogger(Topics.class);

	/** Records are deleted when they have been acknowledged, and not by age or size. */
	private static final Map<String, String> KEEPING = new TreeMap<>(
			Map.of(TopicConfig.RETENTION_MS_CONFIG, "-1", TopicConfig.RETENTION_BYTES_CONFIG, "-1",
					TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE));

	private static final String DEAD_LETTERS_ALLOWED = "errors.deadletterqueue.group.enable";

	private final BrokerAdmin admin;

	private final KafkaSettings settings;

	Topics(BrokerAdmin admin, KafkaSettings settings) {
		this.admin = admin;
		this.settings = settings;
	}

	/** Creates the topic of a type if it is missing, and checks it if it exists. */
	void prepare(String topic) {
		prepare(topic, this.settings.partitions(), KEEPING);
	}

	/** Does the same with the topic of records that the broker gives up. */
	void prepareDeadLetters(String topic) {
		Map<String, String> configs = new TreeMap<>(KEEPING);
		configs.put(DEAD_LETTERS_ALLOWED, "true");
		prepare(topic, 1, configs);
	}

	private void prepare(String topic, int partitions, Map<String, String> configs) {
		if (exists(topic)) {
			check(topic, configs);
		}
		else if (this.settings.createTopics()) {
			create(topic, partitions, configs);
		}
		else {
			throw new BrokerRefusalException("The topic " + topic + " is missing.",
					"Create it: kafka-topics.sh --create --topic " + topic + " --partitions " + partitions
							+ configs.entrySet()
								.stream()
								.map((each) -> " --config " + each)
								.collect(Collectors.joining())
							+ ", or set rowqueue.kafka.create-topics=true.",
					null);
		}
	}

	private boolean exists(String topic) {
		try {
			this.admin.get("The topic " + topic + " cannot be looked up",
					(client) -> client.describeTopics(List.of(topic)).topicNameValues().get(topic));
			return true;
		}
		catch (TransportException ex) {
			if (ex.getCause() instanceof UnknownTopicOrPartitionException) {
				return false;
			}
			throw ex;
		}
	}

	private void create(String topic, int partitions, Map<String, String> configs) {
		try {
			NewTopic created = new NewTopic(topic, Optional.of(partitions), Optional.empty()).configs(configs);
			this.admin.get("The topic " + topic + " cannot be created",
					(client) -> client.createTopics(List.of(created)).all());
			logger.info("Created the topic {} with {} partitions", topic, partitions);
		}
		catch (TransportException ex) {
			if (!(ex.getCause() instanceof TopicExistsException)) {
				throw ex;
			}
			// another process was faster
		}
	}

	private void check(String topic, Map<String, String> configs) {
		ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
		Config config = this.admin.get("The settings of the topic " + topic + " cannot be read",
				(client) -> client.describeConfigs(List.of(resource)).values().get(resource));
		configs.forEach((name, required) -> {
			ConfigEntry entry = config.get(name);
			String value = (entry != null) ? entry.value() : null;
			if (!required.equals(value)) {
				throw new BrokerRefusalException(
						"The topic " + topic + " does not keep jobs until a worker has received them: " + name + " is "
								+ value + ", and must be " + required + ".",
						"Change it: kafka-configs.sh --alter --topic " + topic + " --add-config " + name + "="
								+ required + ".",
						null);
			}
		});
	}

}
