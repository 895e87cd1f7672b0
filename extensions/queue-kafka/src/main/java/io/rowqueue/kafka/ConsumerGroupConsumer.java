package io.rowqueue.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobConsumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;

/**
 * Receives jobs as a member of a consumer group. The broker knows the lowest offset of
 * each partition that is not settled; the metadata of the commit says which after it are.
 * Deliveries are not counted by the broker: what an owner may have started when it died
 * is delivered with the count 2.
 */
final class ConsumerGroupConsumer implements JobConsumer {

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

	private final Duration commitInterval;

	private final Duration maxWait;

	private final String topic;

	private final Supplier<KafkaConsumer<byte[], byte[]>> clients;

	private final LongSupplier nanoTime;

	private volatile KafkaConsumer<byte[], byte[]> consumer;

	private volatile GroupCommits commits;

	/** Whether the group has refused the client for good. */
	private boolean refused;

	private final GroupPartitions partitions;

	/**
	 * Creates a consumer.
	 * @param clients creates a client: the first one now, others when the group refuses
	 * it
	 * @param nanoTime counts the time in which the process is suspended as well
	 */
	ConsumerGroupConsumer(CarriedType type, String topic, Supplier<KafkaConsumer<byte[], byte[]>> clients,
			LongSupplier nanoTime) {
		this.type = type;
		this.topic = topic;
		this.partitions = new GroupPartitions(type.type());
		this.maxCommitAge = type.exclusive().multipliedBy(2).dividedBy(3);
		this.idleCommitInterval = shorter(IDLE_COMMIT_INTERVAL, this.maxCommitAge.dividedBy(2));
		this.commitInterval = shorter(COMMIT_INTERVAL, this.idleCommitInterval);
		this.maxWait = shorter(COMMIT_INTERVAL, this.maxCommitAge.dividedBy(4));
		this.clients = clients;
		this.nanoTime = nanoTime;
		this.consumer = clients.get();
		this.commits = new GroupCommits(this.consumer, TIMEOUT, nanoTime);
		this.consumer.subscribe(List.of(topic), new Rebalance());
	}

	@Override
	public List<Delivery> poll(int max, Duration timeout) throws InterruptedException {
		try {
			if (this.refused) {
				connectAgain();
			}
			this.partitions.takeBackReleased();
			commitIfDue();
			if (max == 0 || !this.partitions.hasUndelivered()) {
				receive(max, timeout);
			}
			else if (this.commits.age().compareTo(this.commitInterval) > 0) {
				receive(0, Duration.ZERO); // rebalances happen here
			}
			return (max > 0) ? this.partitions.take(max, this.commits) : List.of();
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
		this.commits = new GroupCommits(client, TIMEOUT, this.nanoTime);
		this.consumer = client;
		this.refused = false;
	}

	private void commitIfDue() {
		Duration interval = this.partitions.isChanged() ? this.commitInterval : this.idleCommitInterval;
		if (this.commits.age().compareTo(interval) > 0) {
			this.commits.commit(this.partitions.windows());
		}
	}

	private void receive(int max, Duration timeout) {
		Set<TopicPartition> paused = new HashSet<>(this.consumer.assignment());
		if (max > 0) {
			paused.removeIf(this.partitions::hasRoom);
		}
		this.consumer.pause(paused);
		Set<TopicPartition> resumed = new HashSet<>(this.consumer.assignment());
		resumed.removeAll(paused);
		this.consumer.resume(resumed);
		Duration wait = shorter(timeout, this.maxWait);
		boolean full = max > 0 && !paused.isEmpty();
		pollClient(full ? shorter(wait, FULL_PAUSE) : wait).forEach(this.partitions::received);
		this.partitions.open(this.commits);
	}

	private ConsumerRecords<byte[], byte[]> pollClient(Duration timeout) {
		try {
			return this.consumer.poll(timeout);
		}
		catch (KafkaException ex) {
			if (KafkaErrors.endsMembership(ex)) {
				this.refused = true;
				this.partitions.closeAll();
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

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	@Override
	public void wakeUp() {
		this.consumer.wakeup();
	}

	@Override
	public void acknowledge(Collection<Delivery> deliveries) {
		this.partitions.acknowledge(deliveries);
	}

	@Override
	public void release(Collection<Delivery> deliveries) {
		this.partitions.release(deliveries);
	}

	/** A partition belongs to this process for as long as it polls. */
	@Override
	public void renew(Collection<Delivery> deliveries) {
	}

	@Override
	public boolean isRevoked(Delivery delivery) {
		return !this.partitions.isOwned(delivery) || this.commits.age().compareTo(this.maxCommitAge) > 0;
	}

	@Override
	public void onAcknowledgeFailure(Consumer<Collection<Delivery>> listener) {
		this.partitions.onAcknowledgeFailure(listener);
	}

	@Override
	public void close() {
		boolean interrupted = Thread.interrupted(); // the client would refuse to commit
		try {
			this.commits.commitLast(this.partitions.windows(), REVOCATION_PATIENCE);
			this.partitions.closeAll();
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

	/** Called by the polling thread, while it polls or closes. */
	private final class Rebalance implements ConsumerRebalanceListener {

		@Override
		public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
			ConsumerGroupConsumer.this.partitions.assigned(assigned);
			ConsumerGroupConsumer.this.consumer.pause(assigned);
		}

		@Override
		public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
			GroupPartitions owned = ConsumerGroupConsumer.this.partitions;
			ConsumerGroupConsumer.this.commits.commitLast(owned.windows(revoked), REVOCATION_PATIENCE);
			owned.close(revoked);
		}

		@Override
		public void onPartitionsLost(Collection<TopicPartition> lost) {
			ConsumerGroupConsumer.this.partitions.close(lost);
		}

	}

}
