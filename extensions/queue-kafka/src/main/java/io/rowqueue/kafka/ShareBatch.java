package io.rowqueue.kafka;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobMessage;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;

/**
 * The records that a share consumer has received and not yet acknowledged. One thread
 * receives, acknowledges and renews; any thread answers.
 */
final class ShareBatch {

	private final String type;

	private final Duration lock;

	private final Map<Position, Item> items = new LinkedHashMap<>();

	private final Deque<Item> undelivered = new ArrayDeque<>();

	private final List<Item> answered = new ArrayList<>();

	/** Accepted, and the broker has not confirmed it. */
	private final Map<Position, Delivery> unconfirmed = new LinkedHashMap<>();

	/** Their locks were lost while their jobs may have been running. */
	private final Set<Position> lost = new HashSet<>();

	private final LongSupplier nanoTime;

	/** The locks of the batch do not end before this time and their duration. */
	private long lockedSince;

	/** When the client began to ask for what the next batch may contain. */
	private long askedSince;

	/**
	 * Creates a batch without records.
	 * @param nanoTime counts the time in which the process is suspended as well
	 */
	ShareBatch(String type, Duration lock, LongSupplier nanoTime) {
		this.type = type;
		this.lock = lock;
		this.nanoTime = nanoTime;
		connected();
	}

	/** The client is another one, which has asked for nothing yet. */
	void connected() {
		this.askedSince = this.nanoTime.getAsLong();
	}

	/**
	 * Receives the next batch. What the client had at hand was asked for during its
	 * previous poll, and locked soon afterwards: the process may have stood still since.
	 */
	void receive(Supplier<ConsumerRecords<byte[], byte[]>> poll) {
		long begin = this.nanoTime.getAsLong();
		ConsumerRecords<byte[], byte[]> records = poll.get();
		synchronized (this) {
			this.lockedSince = this.askedSince;
			records.forEach(this::add);
		}
		this.askedSince = begin;
	}

	private void add(ConsumerRecord<byte[], byte[]> message) {
		Position position = Position.of(message);
		boolean known = this.lost.remove(position);
		JobMessage job = RecordMapping.toJob(this.type, message);
		Item item = new Item(position, message);
		this.items.put(position, item);
		int count = message.deliveryCount().orElse((short) 1);
		item.delivery = Delivery.of(job, RecordMapping.origin(message), known ? Math.max(2, count) : count, item);
		this.undelivered.add(item);
	}

	synchronized boolean hasUndelivered() {
		return !this.undelivered.isEmpty();
	}

	synchronized boolean hasAnswers() {
		return !this.answered.isEmpty();
	}

	synchronized boolean isSettled() {
		return this.items.isEmpty();
	}

	synchronized List<Delivery> take(int max) {
		List<Delivery> result = new ArrayList<>();
		while (result.size() < max && !this.undelivered.isEmpty()) {
			Delivery delivery = this.undelivered.remove().delivery;
			if (delivery != null) {
				result.add(delivery);
			}
		}
		return result;
	}

	/**
	 * Notes what becomes of records.
	 * @return those that this process has lost
	 */
	synchronized List<Delivery> answer(Collection<Delivery> deliveries, AcknowledgeType answer) {
		List<Delivery> late = new ArrayList<>();
		for (Delivery delivery : deliveries) {
			Item item = (Item) delivery.handle();
			if (item.revoked) {
				late.add(delivery);
			}
			else {
				answer(item, answer);
			}
		}
		return late;
	}

	private void answer(Item item, AcknowledgeType answer) {
		item.answer = answer;
		this.answered.add(item);
	}

	/**
	 * Passes the answers to the client.
	 * @return whether there were any
	 */
	synchronized boolean acknowledge(BiConsumer<ConsumerRecord<byte[], byte[]>, AcknowledgeType> client) {
		if (this.answered.isEmpty()) {
			return false;
		}
		for (Item item : this.answered) {
			AcknowledgeType answer = item.answer;
			if (answer != null && this.items.get(item.position) == item) {
				client.accept(item.message, answer);
				this.items.remove(item.position);
				if (answer == AcknowledgeType.ACCEPT && item.delivery != null) {
					this.unconfirmed.put(item.position, item.delivery);
				}
			}
		}
		this.answered.clear();
		return true;
	}

	/**
	 * The broker has answered.
	 * @param accepted whether it has stored the outcomes of the records
	 * @return the deliveries that it may deliver again
	 */
	synchronized List<Delivery> confirmed(int partition, Set<Long> offsets, boolean accepted) {
		List<Delivery> refused = new ArrayList<>();
		for (long offset : offsets) {
			Delivery delivery = this.unconfirmed.remove(new Position(partition, offset));
			if (delivery != null && !accepted) {
				refused.add(delivery);
			}
		}
		return refused;
	}

	/** Whether half of the time has passed for which the records are locked. */
	synchronized boolean isToBeRenewed() {
		return !this.items.isEmpty() && age() > this.lock.toNanos() / 2;
	}

	/** In how many nanoseconds there is something to do, at the latest. */
	synchronized long nextTurn() {
		return this.lock.toNanos() / 2 + 1_000_000 - age();
	}

	/**
	 * Renews the locks of all records. Those that do not come back are lost.
	 * @return what was acknowledged meanwhile and is lost
	 */
	List<Delivery> renew(Consumer<ConsumerRecord<byte[], byte[]>> client,
			Supplier<ConsumerRecords<byte[], byte[]>> poll) {
		long start = this.nanoTime.getAsLong();
		synchronized (this) {
			this.items.values().forEach((item) -> client.accept(item.message));
		}
		Set<Position> renewed = new HashSet<>();
		try {
			poll.get().forEach((message) -> renewed.add(Position.of(message)));
		}
		finally {
			synchronized (this) {
				this.lockedSince = start;
				lose((item) -> !renewed.contains(item.position));
			}
		}
		return takeLate();
	}

	private synchronized List<Delivery> takeLate() {
		List<Delivery> late = this.answered.stream()
			.filter((item) -> item.revoked && item.answer == AcknowledgeType.ACCEPT)
			.flatMap((item) -> Stream.ofNullable(item.delivery))
			.toList();
		this.answered.removeIf((item) -> item.revoked);
		return late;
	}

	/** Whether another process may have received the record. */
	synchronized boolean isRevoked(Delivery delivery) {
		return ((Item) delivery.handle()).revoked || age() > this.lock.toNanos() / 5 * 4;
	}

	/**
	 * The client is not used any more.
	 * @return what was acknowledged and may not have reached the broker
	 */
	synchronized List<Delivery> close() {
		lose((item) -> true);
		List<Delivery> late = new ArrayList<>(takeLate());
		late.addAll(this.unconfirmed.values());
		this.unconfirmed.clear();
		return late;
	}

	private void lose(Predicate<Item> which) {
		this.items.values().removeIf((item) -> {
			item.revoked = which.test(item);
			if (item.revoked) {
				this.lost.add(item.position);
				this.undelivered.remove(item);
			}
			return item.revoked;
		});
	}

	private long age() {
		return this.nanoTime.getAsLong() - this.lockedSince;
	}

	private record Position(int partition, long offset) {

		static Position of(ConsumerRecord<byte[], byte[]> message) {
			return new Position(message.partition(), message.offset());
		}

	}

	private static final class Item {

		private final Position position;

		private final ConsumerRecord<byte[], byte[]> message;

		private @Nullable Delivery delivery;

		private @Nullable AcknowledgeType answer;

		private boolean revoked;

		Item(Position position, ConsumerRecord<byte[], byte[]> message) {
			this.position = position;
			this.message = message;
		}

	}

}
