package io.rowqueue.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.common.config.ConfigResource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides of which kind the group of a type is, and configures it: a share group that
 * begins at the latest record, as new ones do, would never receive the first jobs.
 */
final class Groups {

	private static final Logger logger = LoggerFactory.getLogger(Groups.class);

	private static final String OFFSET_RESET = "share.auto.offset.reset";

	private static final String LOCK = "share.record.lock.duration.ms";

	private static final String DELIVERY_LIMIT = "share.delivery.count.limit";

	private static final String DEAD_LETTER_TOPIC = "errors.deadletterqueue.topic.name";

	private static final String DEAD_LETTER_COPY = "errors.deadletterqueue.copy.record.enable";

	private static final String SESSION = "consumer.session.timeout.ms";

	private static final String MAX_DELIVERIES = "10";

	private static final Duration PROPAGATION = Duration.ofSeconds(10);

	private final BrokerAdmin admin;

	private final Topics topics;

	Groups(BrokerAdmin admin, Topics topics) {
		this.admin = admin;
		this.topics = topics;
	}

	/** Checks and configures the group of a type whose topic exists. */
	CarriedType prepare(String type, String topic, GroupType wanted) {
		Map<String, FinalizedVersionRange> features = this.admin
			.get("The features of the broker cannot be read", (client) -> client.describeFeatures().featureMetadata())
			.finalizedFeatures();
		int share = level(features, "share.version");
		GroupType kind = kind(topic, wanted, share);
		if (kind == GroupType.CONSUMER) {
			boolean current = level(features, "group.version") > 0;
			return new CarriedType(type, topic, kind, current, session(topic, current), false);
		}
		if (share == 0) {
			throw new BrokerRefusalException(
					"The broker has no share groups: the level of its feature share.version is 0.",
					"Upgrade it to Kafka 4.2 or newer and enable the feature"
							+ " (kafka-features.sh upgrade --feature share.version=1), or set"
							+ " rowqueue.kafka.group-type=consumer.",
					null);
		}
		return configure(type, topic);
	}

	private static int level(Map<String, FinalizedVersionRange> features, String name) {
		return Optional.ofNullable(features.get(name)).map((range) -> (int) range.maxVersionLevel()).orElse(0);
	}

	private GroupType kind(String group, GroupType wanted, int share) {
		Optional<GroupType> existing = existing(group);
		if (wanted == GroupType.AUTO) {
			return existing.orElse((share > 1) ? GroupType.SHARE : GroupType.CONSUMER);
		}
		if (existing.isPresent() && existing.get() != wanted) {
			throw new BrokerRefusalException(
					"The group " + group + " exists and is a " + text(existing.get()) + ", not a " + text(wanted) + ".",
					"Set rowqueue.kafka.enqueue=off, wait until the outbox is empty and the lag is 0, stop all workers and"
							+ " delete the group; or remove rowqueue.kafka.group-type, which keeps the kind of existing groups.",
					null);
		}
		return wanted;
	}

	private Optional<GroupType> existing(String group) {
		return this.admin.get("The groups of the broker cannot be listed", (client) -> client.listGroups().all())
			.stream()
			.filter((listing) -> listing.groupId().equals(group))
			.findFirst()
			.flatMap(GroupListing::type)
			.map((type) -> (type == org.apache.kafka.common.GroupType.SHARE) ? GroupType.SHARE : GroupType.CONSUMER);
	}

	private static String text(GroupType kind) {
		return (kind == GroupType.SHARE) ? "share group" : "consumer group";
	}

	/** How long the broker waits for a heartbeat of a member. */
	private Duration session(String group, boolean current) {
		if (!current) {
			return ConsumerGroupConsumer.CLASSIC_SESSION;
		}
		ConfigEntry entry = config(group).get(SESSION);
		return (entry != null) ? Duration.ofMillis(Long.parseLong(entry.value()))
				: ConsumerGroupConsumer.CLASSIC_SESSION;
	}

	private CarriedType configure(String type, String group) {
		Config before = config(group);
		Map<String, String> required = new TreeMap<>(Map.of(OFFSET_RESET, "earliest"));
		boolean deadLetters = before.get(DEAD_LETTER_TOPIC) != null;
		if (deadLetters) {
			String topic = Names.deadLetters(group);
			this.topics.prepareDeadLetters(topic);
			required.put(DEAD_LETTER_TOPIC, topic);
			required.put(DEAD_LETTER_COPY, "true");
		}
		else {
			logger.warn("The broker drops records of the share group {} that were delivered too often, without a trace,"
					+ " as when a process crashes again and again: Kafka 4.4 keeps them, and consumer groups never"
					+ " drop any (rowqueue.kafka.group-type=consumer)", group);
		}
		if (before.get(DELIVERY_LIMIT) != null) {
			required.put(DELIVERY_LIMIT, MAX_DELIVERIES);
		}
		Map<String, String> missing = missing(before, required);
		if (!missing.isEmpty()) {
			alter(group, missing);
		}
		ConfigEntry lock = before.get(LOCK);
		Duration exclusive = Duration.ofMillis((lock != null) ? Long.parseLong(lock.value()) : 30_000);
		return new CarriedType(type, group, GroupType.SHARE, true, exclusive, deadLetters);
	}

	private void alter(String group, Map<String, String> settings) {
		this.admin.get("The settings of the group " + group + " cannot be changed",
				(client) -> client.incrementalAlterConfigs(Map.of(resource(group),
						settings.entrySet()
							.stream()
							.map((each) -> new AlterConfigOp(new ConfigEntry(each.getKey(), each.getValue()),
									AlterConfigOp.OpType.SET))
							.toList()))
					.all());
		Map<String, String> missing = awaitSettings(group, settings);
		missing.forEach((name, value) -> {
			throw new BrokerRefusalException(
					"The group " + group + " needs the setting " + name + "=" + value
							+ ", and the broker does not keep it.",
					"Set it: kafka-configs.sh --alter --group " + group + " --add-config " + name + "=" + value + ".",
					null);
		});
	}

	/** A broker learns from its controller what was changed. */
	private Map<String, String> awaitSettings(String group, Map<String, String> settings) {
		long end = System.nanoTime() + PROPAGATION.toNanos();
		Map<String, String> missing = missing(config(group), settings);
		while (!missing.isEmpty() && System.nanoTime() < end) {
			LockSupport.parkNanos(PROPAGATION.toNanos() / 100);
			missing = missing(config(group), settings);
		}
		return missing;
	}

	private static Map<String, String> missing(Config config, Map<String, String> settings) {
		Map<String, String> result = new TreeMap<>(settings);
		result.entrySet()
			.removeIf((each) -> Optional.ofNullable(config.get(each.getKey()))
				.map((entry) -> each.getValue().equals(entry.value()))
				.orElse(false));
		return result;
	}

	private Config config(String group) {
		ConfigResource resource = resource(group);
		return this.admin.get("The settings of the group " + group + " cannot be read",
				(client) -> client.describeConfigs(List.of(resource)).values().get(resource));
	}

	private static ConfigResource resource(String group) {
		return new ConfigResource(ConfigResource.Type.GROUP, group);
	}

}
