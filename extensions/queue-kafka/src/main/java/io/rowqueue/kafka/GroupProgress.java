package io.rowqueue.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.SharePartitionOffsetInfo;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Asks the broker how far a group is. */
final class GroupProgress {

	private final BrokerAdmin admin;

	GroupProgress(BrokerAdmin admin) {
		this.admin = admin;
	}

	/** Returns the progress of the group in each partition of the topic. */
	Map<TopicPartition, Progress> of(CarriedType type) {
		Map<TopicPartition, Long> first = offsets(type.topic(), OffsetSpec.earliest());
		Map<TopicPartition, Long> end = offsets(type.topic(), OffsetSpec.latest());
		return (type.kind() == GroupType.SHARE) ? ofShareGroup(type.group(), first, end)
				: ofConsumerGroup(type.group(), first, end);
	}

	private Map<TopicPartition, Long> offsets(String topic, OffsetSpec which) {
		List<TopicPartition> partitions = this.admin
			.get("The topic " + topic + " cannot be looked up",
					(client) -> client.describeTopics(List.of(topic)).topicNameValues().get(topic))
			.partitions()
			.stream()
			.map((partition) -> new TopicPartition(topic, partition.partition()))
			.toList();
		Map<TopicPartition, OffsetSpec> wanted = partitions.stream()
			.collect(Collectors.toMap(Function.identity(), (partition) -> which));
		Map<TopicPartition, Long> result = new HashMap<>();
		Map<TopicPartition, ListOffsetsResultInfo> found = this.admin
			.get("The offsets of the topic " + topic + " cannot be read", (client) -> client.listOffsets(wanted).all());
		found.forEach((partition, info) -> result.put(partition, info.offset()));
		return result;
	}

	private Map<TopicPartition, Progress> ofConsumerGroup(String group, Map<TopicPartition, Long> first,
			Map<TopicPartition, Long> end) {
		Map<TopicPartition, OffsetAndMetadata> commits = this.admin.get(
				"The offsets of the group " + group + " cannot be read",
				(client) -> client.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
		Map<TopicPartition, Progress> result = new HashMap<>();
		first.forEach((partition, offset) -> {
			OffsetAndMetadata commit = commits.get(partition);
			long behind = end.getOrDefault(partition, offset);
			if (commit == null) {
				result.put(partition, new Progress(offset, offset, behind - offset));
				return;
			}
			long settled = CommitMetadata.decode(commit.offset(), commit.metadata()).settled().cardinality();
			result.put(partition, new Progress(offset, commit.offset(), behind - commit.offset() - settled));
		});
		return result;
	}

	private Map<TopicPartition, Progress> ofShareGroup(String group, Map<TopicPartition, Long> first,
			Map<TopicPartition, Long> end) {
		Map<TopicPartition, SharePartitionOffsetInfo> offsets = this.admin.get(
				"The offsets of the group " + group + " cannot be read",
				(client) -> client.listShareGroupOffsets(Map.of(group, new ListShareGroupOffsetsSpec()))
					.partitionsToOffsetInfo(group));
		Map<TopicPartition, Progress> result = new HashMap<>();
		first.forEach((partition, offset) -> {
			@Nullable SharePartitionOffsetInfo info = offsets.get(partition);
			long begin = (info != null) ? Math.max(info.startOffset(), offset) : offset;
			long behind = end.getOrDefault(partition, begin) - begin;
			result.put(partition, new Progress(offset, begin, (info != null) ? info.lag().orElse(behind) : behind));
		});
		return result;
	}

	/**
	 * How far a group is in a partition.
	 *
	 * @param first the first offset that the broker has
	 * @param settledBelow all records below this offset are settled
	 * @param lag how many records are not settled
	 */
	record Progress(long first, long settledBelow, long lag) {

	}

}
