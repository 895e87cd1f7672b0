package io.rowqueue.kafka;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobMessage;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions that a member of a consumer group owns: what it has received from them
 * and not delivered yet, and what of them is settled. The polling thread calls all
 * methods; any thread acknowledges and releases.
 */
final class GroupPartitions {

	private static final Logger logger = LoggerFactory.getLogger(GroupPartitions.class);

	private final String type;

	private final Map<TopicPartition, PartitionWindow> windows = new HashMap<>();

	/** Assigned to this process, and not read from yet. */
	private final Set<TopicPartition> unopened = new HashSet<>();

	private final Deque<Delivery> buffer = new ArrayDeque<>();

	private final Queue<Delivery> released = new ConcurrentLinkedQueue<>();

	private volatile Consumer<Collection<Delivery>> failureListener = (deliveries) -> {
	};

	/**
	 * Creates it without partitions.
	 * @param type the type of the jobs
	 */
	GroupPartitions(String type) {
		this.type = type;
	}

	void onAcknowledgeFailure(Consumer<Collection<Delivery>> listener) {
		this.failureListener = listener;
	}

	/** What is to be committed. */
	Map<TopicPartition, PartitionWindow> windows() {
		return this.windows;
	}

	/** What is to be committed of these partitions. */
	Map<TopicPartition, PartitionWindow> windows(Collection<TopicPartition> partitions) {
		Map<TopicPartition, PartitionWindow> result = new HashMap<>(this.windows);
		result.keySet().retainAll(partitions);
		return result;
	}

	boolean isChanged() {
		return this.windows.values().stream().anyMatch(PartitionWindow::isChanged);
	}

	/** Whether more records of the partition can be received. */
	boolean hasRoom(TopicPartition partition) {
		PartitionWindow window = this.windows.get(partition);
		return window != null && !window.isFull();
	}

	/** The group has assigned these partitions to this process. */
	void assigned(Collection<TopicPartition> partitions) {
		this.unopened.addAll(partitions);
	}

	/** Opens the windows of partitions that this process has got. */
	void open(GroupCommits commits) {
		if (!this.unopened.isEmpty()) {
			this.windows.putAll(commits.read(this.unopened));
			this.unopened.clear();
			commits.commit(this.windows);
		}
	}

	void received(ConsumerRecord<byte[], byte[]> message) {
		PartitionWindow window = window(new TopicPartition(message.topic(), message.partition()), message.offset());
		if (window == null || !window.receive(message.offset())) {
			return;
		}
		JobMessage job = RecordMapping.toJob(this.type, message);
		this.buffer.add(Delivery.of(job, RecordMapping.origin(message), window.count(message.offset()),
				new Handle(window, message.offset())));
	}

	/** {@code null}: the partition is not open. */
	private @Nullable PartitionWindow window(TopicPartition partition, long offset) {
		PartitionWindow window = this.windows.get(partition);
		if (window != null && window.isBehind(offset)) {
			logger.warn("{} has lost its end: what it has from the record {} on is received, and may have run before",
					partition, offset);
			close(Set.of(partition));
			window = new PartitionWindow(offset, CommitMetadata.none(offset));
			this.windows.put(partition, window);
		}
		return window;
	}

	boolean hasUndelivered() {
		return !this.buffer.isEmpty();
	}

	/** What was released is delivered again, before all else. */
	void takeBackReleased() {
		for (Delivery delivery = this.released.poll(); delivery != null; delivery = this.released.poll()) {
			if (isOwned(delivery)) {
				this.buffer.addFirst(delivery);
			}
		}
	}

	/**
	 * Delivers what has been received, and commits first if no commit has reserved it.
	 * @param max the maximum number of deliveries
	 */
	List<Delivery> take(int max, GroupCommits commits) {
		List<Delivery> result = new ArrayList<>(Math.min(max, this.buffer.size()));
		while (result.size() < max && !this.buffer.isEmpty()) {
			Handle handle = handle(this.buffer.element());
			if (!handle.isReserved()) {
				if (!result.isEmpty()) {
					break;
				}
				commits.commit(this.windows);
				if (!handle.isReserved()) {
					break;
				}
			}
			handle.window().deliver();
			result.add(this.buffer.remove());
		}
		return result;
	}

	void acknowledge(Collection<Delivery> deliveries) {
		reportLate(deliveries.stream()
			.filter((delivery) -> !handle(delivery).window().settle(handle(delivery).offset(), delivery))
			.toList());
	}

	void release(Collection<Delivery> deliveries) {
		deliveries.stream().filter((delivery) -> handle(delivery).window().release()).forEach(this.released::add);
	}

	/** Whether the partition of a delivery belongs to this process. */
	boolean isOwned(Delivery delivery) {
		return handle(delivery).window().isOwned();
	}

	void closeAll() {
		close(new HashSet<>(this.windows.keySet()));
		this.unopened.clear();
	}

	/** Other processes may own these partitions from now on. */
	void close(Collection<TopicPartition> partitions) {
		for (TopicPartition partition : partitions) {
			PartitionWindow window = this.windows.remove(partition);
			if (window != null) {
				reportLate(window.close());
			}
		}
		this.unopened.removeAll(partitions);
		this.buffer.removeIf((delivery) -> !isOwned(delivery));
	}

	private void reportLate(List<Delivery> late) {
		if (!late.isEmpty()) {
			this.failureListener.accept(late);
		}
	}

	private static Handle handle(Delivery delivery) {
		return (Handle) delivery.handle();
	}

	private record Handle(PartitionWindow window, long offset) {

		boolean isReserved() {
			return this.window.isWithinBound(this.offset);
		}

	}

}
