package io.pgqueue.kafka;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.pgqueue.transport.Delivery;
import io.pgqueue.transport.JobConsumer;
import io.pgqueue.transport.JobMessage;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives jobs as a member of a consumer group. The broker knows the lowest offset of
 * each partition that is not settled; the metadata of the commit says which after it are.
 * Deliveries are not counted by the broker: what an owner may have started when it died
 * is delivered with the count 2.
 */
final class ConsumerGroupConsumer implements JobConsumer {

	private static final Logger logger = LoggerFactory.getLogger(ConsumerGroupConsumer.class);

	/** The session of members where the broker does not decide about it. */
	static final Duration CLASSIC_SESSION = Duration.ofSeconds(45);

	private static final Duration COMMIT_INTERVAL = Duration.ofMillis(500);

	/**
	 * A commit shows that the broker counts this process as a member. It is sent more
	 * often if the group has a short session.
	 */
	private static final Duration IDLE_COMMIT_INTERVAL = Duration.ofSeconds(10);

	/** Longer than a job runs before it is written to the database. */
	private static final Duration REVOCATION_PATIENCE = Duration.ofSeconds(5);

	private static final Duration FULL_PAUSE = Duration.ofMillis(50);

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private final CarriedType type;

	/** Without a commit for longer, the broker may have given the partitions away. */
	private final Duration maxCommitAge;

	private final Duration idleCommitInterval;

	private final String topic;

	private final Supplier<KafkaConsumer<byte[], byte[]>> clients;

	private volatile KafkaConsumer<byte[], byte[]> consumer;

	private volatile GroupCommits commits;

	/** Whether the group has refused the client for good. */
	private boolean refused;

	private final Map<TopicPartition, PartitionWindow> windows = new HashMap<>();

	private final Set<TopicPartition> unopened = new HashSet<>();

	private final Deque<Delivery> buffer = new ArrayDeque<>();

	private final Queue<Delivery> released = new ConcurrentLinkedQueue<>();

	private volatile Consumer<Collection<Delivery>> failureListener = (deliveries) -> {
	};

	/**
	 * Creates a consumer.
	 * @param clients creates a client: the first one now, others when the group refuses
	 * it
	 */
	ConsumerGroupConsumer(CarriedType type, String topic, Supplier<KafkaConsumer<byte[], byte[]>> clients) {
		this.type = type;
		this.topic = topic;
		this.maxCommitAge = type.exclusive().multipliedBy(2).dividedBy(3);
		this.idleCommitInterval = shorter(IDLE_COMMIT_INTERVAL, this.maxCommitAge.dividedBy(2));
		this.clients = clients;
		this.consumer = clients.get();
		this.commits = new GroupCommits(this.consumer, TIMEOUT);
		this.consumer.subscribe(List.of(topic), new Rebalance());
	}

	@Override
	public List<Delivery> poll(int max, Duration timeout) throws InterruptedException {
		try {
			if (this.refused) {
				connectAgain();
			}
			takeBackReleased();
			commitIfDue();
			if (max == 0 || this.buffer.isEmpty()) {
				receive(max, timeout);
			}
			else if (this.commits.age().compareTo(COMMIT_INTERVAL) > 0) {
				receive(0, Duration.ZERO); // rebalances happen here
			}
			return (max > 0) ? take(max) : List.of();
		}
		catch (WakeupException ex) {
			return List.of();
		}
		catch (InterruptException ex) {
			Thread.interrupted(); // the client sets it
			throw (InterruptedException) new InterruptedException("Interrupted").initCause(ex);
		}
		catch (KafkaException | IllegalStateException ex) {
			// illegal: the client's thread has taken a partition away since it was asked
			throw KafkaErrors.of("Jobs of the type " + this.type.type() + " cannot be received from Kafka", ex);
		}
	}

	private void connectAgain() {
		KafkaConsumer<byte[], byte[]> client = this.clients.get();
		client.subscribe(List.of(this.topic), new Rebalance());
		this.commits = new GroupCommits(client, TIMEOUT);
		this.consumer = client;
		this.refused = false;
	}

	private void takeBackReleased() {
		for (Delivery delivery = this.released.poll(); delivery != null; delivery = this.released.poll()) {
			if (handle(delivery).window().isOwned()) {
				this.buffer.addFirst(delivery);
			}
		}
	}

	private void commitIfDue() {
		boolean changed = this.windows.values().stream().anyMatch(PartitionWindow::isChanged);
		if (this.commits.age().compareTo(changed ? COMMIT_INTERVAL : this.idleCommitInterval) > 0) {
			this.commits.commit(this.windows);
		}
	}

	private void receive(int max, Duration timeout) {
		Set<TopicPartition> paused = new HashSet<>(this.consumer.assignment());
		if (max > 0) {
			paused.removeIf(this::hasRoom);
		}
		this.consumer.pause(paused);
		Set<TopicPartition> resumed = new HashSet<>(this.consumer.assignment());
		resumed.removeAll(paused);
		this.consumer.resume(resumed);
		Duration wait = shorter(timeout, COMMIT_INTERVAL);
		boolean full = max > 0 && !paused.isEmpty();
		pollClient(full ? shorter(wait, FULL_PAUSE) : wait).forEach(this::receive);
		open();
	}

	private ConsumerRecords<byte[], byte[]> pollClient(Duration timeout) {
		try {
			return this.consumer.poll(timeout);
		}
		catch (KafkaException ex) {
			if (KafkaErrors.endsMembership(ex)) {
				this.refused = true;
				closeWindows(new HashSet<>(this.windows.keySet()));
				this.unopened.clear();
				closeClient(ex);
			}
			throw ex;
		}
	}

	private void closeClient(KafkaException reason) {
		try {
			this.consumer.close(CloseOptions.timeout(TIMEOUT));
		}
		catch (KafkaException ex) {
			reason.addSuppressed(ex);
		}
	}

	private boolean hasRoom(TopicPartition partition) {
		PartitionWindow window = this.windows.get(partition);
		return window != null && !window.isFull();
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	private void receive(ConsumerRecord<byte[], byte[]> message) {
		PartitionWindow window = window(new TopicPartition(message.topic(), message.partition()), message.offset());
		if (window == null || !window.receive(message.offset())) {
			return;
		}
		JobMessage job = RecordMapping.toJob(this.type.type(), message);
		if (job == null) {
			window.skip(message.offset());
			return;
		}
		this.buffer.add(Delivery.of(job, window.count(message.offset()), new Handle(window, message.offset())));
	}

	/** {@code null}: the partition is not open. */
	private @Nullable PartitionWindow window(TopicPartition partition, long offset) {
		PartitionWindow window = this.windows.get(partition);
		if (window != null && window.isBehind(offset)) {
			logger.warn("{} has lost its end: what it has from the record {} on is received, and may have run before",
					partition, offset);
			closeWindows(Set.of(partition));
			window = new PartitionWindow(offset, CommitMetadata.none(offset));
			this.windows.put(partition, window);
		}
		return window;
	}

	/** The windows of partitions that this process has got. */
	private void open() {
		if (!this.unopened.isEmpty()) {
			this.commits.read(this.unopened).forEach(this.windows::put);
			this.unopened.clear();
			this.commits.commit(this.windows);
		}
	}

	private List<Delivery> take(int max) {
		List<Delivery> result = new ArrayList<>(Math.min(max, this.buffer.size()));
		while (result.size() < max && !this.buffer.isEmpty()) {
			Handle handle = handle(this.buffer.element());
			if (!handle.window().isWithinBound(handle.offset())) {
				if (!result.isEmpty()) {
					break;
				}
				this.commits.commit(this.windows);
				if (!handle.window().isWithinBound(handle.offset())) {
					break;
				}
			}
			handle.window().deliver();
			result.add(this.buffer.remove());
		}
		return result;
	}

	@Override
	public void wakeUp() {
		this.consumer.wakeup();
	}

	@Override
	public void acknowledge(Collection<Delivery> deliveries) {
		List<Delivery> late = deliveries.stream()
			.filter((delivery) -> !handle(delivery).window().settle(handle(delivery).offset(), delivery))
			.toList();
		reportLate(late);
	}

	private void reportLate(List<Delivery> late) {
		if (!late.isEmpty()) {
			this.failureListener.accept(late);
		}
	}

	@Override
	public void release(Collection<Delivery> deliveries) {
		deliveries.stream().filter((delivery) -> handle(delivery).window().release()).forEach(this.released::add);
	}

	/** A partition belongs to this process for as long as it polls. */
	@Override
	public void renew(Collection<Delivery> deliveries) {
	}

	@Override
	public boolean isRevoked(Delivery delivery) {
		return !handle(delivery).window().isOwned() || this.commits.age().compareTo(this.maxCommitAge) > 0;
	}

	@Override
	public void onAcknowledgeFailure(Consumer<Collection<Delivery>> listener) {
		this.failureListener = listener;
	}

	@Override
	public void close() {
		boolean interrupted = Thread.interrupted(); // the client would refuse to commit
		try {
			this.commits.commitLast(this.windows, REVOCATION_PATIENCE);
			closeWindows(new HashSet<>(this.windows.keySet()));
			this.consumer.close(CloseOptions.timeout(TIMEOUT));
		}
		catch (KafkaException ex) {
			throw KafkaErrors.of("The consumer of " + this.type.type() + " did not leave its group in an orderly way",
					ex);
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private void closeWindows(Collection<TopicPartition> partitions) {
		for (TopicPartition partition : partitions) {
			PartitionWindow window = this.windows.remove(partition);
			if (window != null) {
				reportLate(window.close());
			}
		}
		this.unopened.removeAll(partitions);
		for (Iterator<Delivery> left = this.buffer.iterator(); left.hasNext();) {
			if (!handle(left.next()).window().isOwned()) {
				left.remove();
			}
		}
	}

	private static Handle handle(Delivery delivery) {
		return (Handle) delivery.handle();
	}

	private record Handle(PartitionWindow window, long offset) {

	}

	/** Called by the polling thread, while it polls or closes. */
	private final class Rebalance implements ConsumerRebalanceListener {

		@Override
		public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
			ConsumerGroupConsumer.this.unopened.addAll(partitions);
			ConsumerGroupConsumer.this.consumer.pause(partitions);
		}

		@Override
		public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
			Map<TopicPartition, PartitionWindow> leaving = new HashMap<>(ConsumerGroupConsumer.this.windows);
			leaving.keySet().retainAll(partitions);
			ConsumerGroupConsumer.this.commits.commitLast(leaving, REVOCATION_PATIENCE);
			closeWindows(partitions);
		}

		@Override
		public void onPartitionsLost(Collection<TopicPartition> partitions) {
			closeWindows(partitions);
		}

	}

}
