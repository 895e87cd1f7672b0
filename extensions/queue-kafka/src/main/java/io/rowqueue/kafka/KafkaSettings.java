package io.rowqueue.kafka;

import java.util.Set;

/**
 * What is carried by Kafka, and how.
 *
 * @param schema the schema of the queue's tables, a part of the names of topics
 * @param types the types whose plain jobs Kafka carries
 * @param groupType the kind of group that workers form
 * @param partitions the number of partitions of topics that are created
 * @param createTopics whether topics that are missing are created
 */
public record KafkaSettings(String schema, Set<String> types, GroupType groupType, int partitions,
		boolean createTopics) {

	private static final int MAX_PARTITIONS = 10_000;

	/**
	 * Checks the settings.
	 * @throws IllegalArgumentException if a value is invalid
	 */
	public KafkaSettings {
		types = Set.copyOf(types);
		if (partitions < 1 || partitions > MAX_PARTITIONS) {
			throw new IllegalArgumentException(
					"partitions must be from 1 to " + MAX_PARTITIONS + ", not " + partitions);
		}
		for (String type : types) {
			Names.check(schema, type);
		}
	}

}
