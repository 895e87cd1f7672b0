package io.rowqueue.kafka;

import java.util.HashMap;
import java.util.Map;

import io.rowqueue.kafka.GroupProgress.Progress;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;

/** Deletes what a group has settled: the topic has no retention. */
final class AcknowledgedRecords {

	private final BrokerAdmin admin;

	private final GroupProgress progress;

	AcknowledgedRecords(BrokerAdmin admin, GroupProgress progress) {
		this.admin = admin;
		this.progress = progress;
	}

	/** Deletes those of a type, and of what the broker has given up of it. */
	void delete(CarriedType type) {
		deleteSettled(type);
		if (type.deadLetters()) {
			deleteSettled(type.ofDeadLetters());
		}
	}

	private void deleteSettled(CarriedType type) {
		Map<TopicPartition, RecordsToDelete> settled = new HashMap<>();
		this.progress.of(type).forEach((partition, each) -> {
			if (isMore(each)) {
				settled.put(partition, RecordsToDelete.beforeOffset(each.settledBelow()));
			}
		});
		if (!settled.isEmpty()) {
			this.admin.get("Acknowledged records of the topic " + type.topic() + " cannot be deleted",
					(client) -> client.deleteRecords(settled).all());
		}
	}

	private static boolean isMore(Progress progress) {
		return progress.settledBelow() > progress.first();
	}

}
