package io.rowqueue.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobConsumer;
import io.rowqueue.transport.TransportException;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * Receives jobs as a member of a share group. Each record is locked for this process, and
 * acknowledged by itself. The client fetches nothing until all records of a batch are
 * acknowledged, so a batch is not larger than the room that the process has.
 */
final class ShareGroupConsumer implements JobConsumer {

	private static final int MAX_BATCH = 500;

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private static final int RENEWAL_POLLS = 50;

	private final CarriedType type;

	private final Map<String, Object> settings;

	private final Function<Map<String, Object>, KafkaShareConsumer<byte[], byte[]>> clients;

	private final ShareBatch batch;

	private final Object monitor = new Object();

	private boolean awake;

	private volatile @Nullable KafkaShareConsumer<byte[], byte[]> consumer;

	private volatile Consumer<Collection<Delivery>> failureListener = (deliveries) -> {
	};

	/**
	 * Creates a consumer that connects when it receives first.
	 * @param settings settings of a share consumer, with its group
	 * @param clients creates a client with settings
	 * @param nanoTime counts the time in which the process is suspended as well
	 */
	ShareGroupConsumer(CarriedType type, Map<String, Object> settings,
			Function<Map<String, Object>, KafkaShareConsumer<byte[], byte[]>> clients, LongSupplier nanoTime) {
		this.type = type;
		this.settings = new HashMap<>(settings);
		this.clients = clients;
		this.batch = new ShareBatch(type.type(), type.exclusive(), nanoTime);
	}

	@Override
	public List<Delivery> poll(int max, Duration timeout) throws InterruptedException {
		long end = System.nanoTime() + timeout.toNanos();
		try {
			KafkaShareConsumer<byte[], byte[]> client = this.consumer;
			if (client == null) {
				if (max == 0) {
					await(end);
					return List.of();
				}
				client = connect(max);
			}
			return poll(client, max, end);
		}
		catch (WakeupException ex) {
			return List.of();
		}
		catch (InterruptException ex) {
			Thread.interrupted(); // the client sets it
			throw (InterruptedException) new InterruptedException("Interrupted").initCause(ex);
		}
		catch (IllegalStateException ex) {
			dropClient(ex);
			throw KafkaErrors.of("Jobs of the type " + this.type.type() + " cannot be received from Kafka", ex);
		}
		catch (KafkaException ex) {
			if (KafkaErrors.endsMembership(ex)) {
				dropClient(ex);
			}
			throw KafkaErrors.of("Jobs of the type " + this.type.type() + " cannot be received from Kafka", ex);
		}
	}

	/**
	 * The group has refused the client for good; or the client and the batch disagree
	 * about what is not acknowledged, as after a poll that failed when it had records.
	 * The next poll uses a new client; the broker delivers again what this one held.
	 */
	private void dropClient(RuntimeException reason) {
		try {
			close();
		}
		catch (TransportException ex) {
			reason.addSuppressed(ex);
		}
	}

	private List<Delivery> poll(KafkaShareConsumer<byte[], byte[]> client, int max, long end)
			throws InterruptedException {
		do {
			acknowledge(client);
			renewIfDue(client);
			if (max > 0) {
				if (this.batch.isSettled()) {
					Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
					this.batch.receive(() -> client.poll(left));
					renewIfDue(client);
					return this.batch.take(max);
				}
				if (this.batch.hasUndelivered()) {
					return this.batch.take(max);
				}
			}
			await(this.batch.isSettled() ? end : Math.min(end, System.nanoTime() + this.batch.nextTurn()));
		}
		while (System.nanoTime() < end && !isAwake());
		acknowledge(client);
		return List.of();
	}

	/** The first room is that of a process without jobs: its slots. */
	private KafkaShareConsumer<byte[], byte[]> connect(int max) {
		this.settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, Math.min(max, MAX_BATCH));
		KafkaShareConsumer<byte[], byte[]> client = this.clients.apply(this.settings);
		client.setAcknowledgementCommitCallback((offsets, ex) -> {
			List<Delivery> confirmed = new ArrayList<>();
			offsets.forEach((partition, some) -> confirmed
				.addAll(this.batch.confirmed(partition.partition(), some, ex == null)));
			if (!confirmed.isEmpty()) {
				this.failureListener.accept(confirmed);
			}
		});
		client.subscribe(List.of(this.type.topic()));
		this.batch.connected();
		this.consumer = client;
		return client;
	}

	private void acknowledge(KafkaShareConsumer<byte[], byte[]> client) {
		if (this.batch.acknowledge(client::acknowledge)) {
			client.commitAsync();
		}
	}

	private void renewIfDue(KafkaShareConsumer<byte[], byte[]> client) {
		if (this.batch.isToBeRenewed()) {
			reportLate(this.batch.renew((message) -> client.acknowledge(message, AcknowledgeType.RENEW), () -> {
				commit(client);
				return pollRenewed(client);
			}));
		}
	}

	private void reportLate(List<Delivery> late) {
		if (!late.isEmpty()) {
			this.failureListener.accept(late);
		}
	}

	private static void commit(KafkaShareConsumer<byte[], byte[]> client) {
		try {
			client.commitSync(TIMEOUT);
		}
		catch (WakeupException ex) {
			// the polls after it are what counts
		}
	}

	/**
	 * The client returns renewed records once more, and nothing else. It does not notice
	 * their renewal while it waits.
	 */
	private static ConsumerRecords<byte[], byte[]> pollRenewed(KafkaShareConsumer<byte[], byte[]> client) {
		ConsumerRecords<byte[], byte[]> result = ConsumerRecords.empty();
		for (int i = 0; i < RENEWAL_POLLS && result.isEmpty(); i++) {
			try {
				result = client.poll(TIMEOUT.dividedBy(RENEWAL_POLLS));
			}
			catch (WakeupException ex) {
				// one poll less
			}
		}
		return result;
	}

	private void await(long until) throws InterruptedException {
		synchronized (this.monitor) {
			long left = (until - System.nanoTime()) / 1_000_000;
			while (!this.awake && !this.batch.hasAnswers() && left > 0) {
				this.monitor.wait(left);
				left = (until - System.nanoTime()) / 1_000_000;
			}
		}
	}

	private boolean isAwake() {
		synchronized (this.monitor) {
			boolean result = this.awake;
			this.awake = false;
			return result;
		}
	}

	private void notifyPoll() {
		synchronized (this.monitor) {
			this.monitor.notifyAll();
		}
	}

	@Override
	public void wakeUp() {
		KafkaShareConsumer<byte[], byte[]> client = this.consumer;
		synchronized (this.monitor) {
			this.awake = true;
			this.monitor.notifyAll();
		}
		if (client != null) {
			client.wakeup();
		}
	}

	@Override
	public void acknowledge(Collection<Delivery> deliveries) {
		reportLate(this.batch.answer(deliveries, AcknowledgeType.ACCEPT));
		notifyPoll();
	}

	@Override
	public void release(Collection<Delivery> deliveries) {
		this.batch.answer(deliveries, AcknowledgeType.RELEASE);
		notifyPoll();
	}

	/**
	 * All records that are not acknowledged are renewed for as long as this process
	 * polls.
	 */
	@Override
	public void renew(Collection<Delivery> deliveries) {
	}

	@Override
	public boolean isRevoked(Delivery delivery) {
		return this.batch.isRevoked(delivery);
	}

	@Override
	public void onAcknowledgeFailure(Consumer<Collection<Delivery>> listener) {
		this.failureListener = listener;
	}

	@Override
	public void close() {
		KafkaShareConsumer<byte[], byte[]> client = this.consumer;
		this.consumer = null;
		if (client != null) {
			try {
				closeWithAnswers(client);
			}
			catch (KafkaException | IllegalStateException ex) {
				throw KafkaErrors
					.of("The consumer of " + this.type.type() + " did not leave its group in an orderly way", ex);
			}
			finally {
				reportLate(this.batch.close());
			}
		}
	}

	private void closeWithAnswers(KafkaShareConsumer<byte[], byte[]> client) {
		try {
			acknowledge(client);
		}
		finally {
			client.close(TIMEOUT);
		}
	}

}
