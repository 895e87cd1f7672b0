package io.rowqueue.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and writes the commits of one member of a consumer group. */
final class GroupCommits {

	private static final Logger logger = LoggerFactory.getLogger(GroupCommits.class);

	private final KafkaConsumer<byte[], byte[]> consumer;

	private final Duration timeout;

	private final LongSupplier nanoTime;

	/** When the last commit that was stored was sent. */
	private volatile long latest;

	/**
	 * Creates the commits of a client that joins the group now.
	 * @param nanoTime counts the time in which the process is suspended as well
	 */
	GroupCommits(KafkaConsumer<byte[], byte[]> consumer, Duration timeout, LongSupplier nanoTime) {
		this.consumer = consumer;
		this.timeout = timeout;
		this.nanoTime = nanoTime;
		this.latest = nanoTime.getAsLong();
	}

	/** How long ago the broker took this process for a member of the group. */
	Duration age() {
		return Duration.ofNanos(this.nanoTime.getAsLong() - this.latest);
	}

	/** Opens the windows of partitions where their last owners left them. */
	Map<TopicPartition, PartitionWindow> read(Set<TopicPartition> partitions) {
		Map<TopicPartition, OffsetAndMetadata> committed = this.consumer.committed(partitions, this.timeout);
		Map<TopicPartition, PartitionWindow> result = new HashMap<>();
		for (TopicPartition partition : partitions) {
			OffsetAndMetadata commit = committed.get(partition);
			if (commit == null) {
				long first = this.consumer.position(partition, this.timeout);
				result.put(partition, new PartitionWindow(first, CommitMetadata.none(first)));
			}
			else {
				CommitMetadata metadata = CommitMetadata.decode(commit.offset(), commit.metadata());
				if (!metadata.orderly() && metadata.bound() > commit.offset()) {
					logger.info(
							"A process that received from {} has died: the jobs that it may have started, of"
									+ " the records from {} to {}, are not delivered as new ones",
							partition, commit.offset(), metadata.bound() - 1);
				}
				result.put(partition, new PartitionWindow(commit.offset(), metadata));
			}
		}
		return result;
	}

	/**
	 * Commits all partitions.
	 * @throws KafkaException if the broker cannot be reached or refuses the commit
	 */
	void commit(Map<TopicPartition, PartitionWindow> windows) {
		long sent = this.nanoTime.getAsLong();
		Map<TopicPartition, OffsetAndMetadata> commits = new HashMap<>();
		windows.forEach((partition, window) -> commits.put(partition, window.commit()));
		try {
			if (!commits.isEmpty()) {
				this.consumer.commitSync(commits, this.timeout);
			}
			this.latest = sent;
			windows.values().forEach(PartitionWindow::committed);
		}
		catch (RebalanceInProgressException | CommitFailedException ex) {
			windows.values().forEach(PartitionWindow::notCommitted);
			logger.debug("The next poll takes part in a rebalance", ex);
		}
		catch (KafkaException ex) {
			windows.values().forEach(PartitionWindow::notCommitted);
			throw ex;
		}
	}

	/**
	 * Waits for what runs, and commits partitions for their next owner. If the broker
	 * does not get the commit, the next owner takes this process for dead.
	 */
	void commitLast(Map<TopicPartition, PartitionWindow> windows, Duration patience) {
		try {
			long end = System.nanoTime() + patience.toNanos();
			windows.values().forEach((window) -> window.revoke());
			for (PartitionWindow window : windows.values()) {
				window.awaitStarted(Duration.ofNanos(end - System.nanoTime()));
			}
			commitAlthoughWoken(windows);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new InterruptException(ex);
		}
		catch (KafkaException ex) {
			logger.warn(
					"The last commit of {} was not stored, so that its jobs that have not ended count as started: {}",
					windows.keySet(), ex.toString());
		}
	}

	/** A wake-up is for the next poll. The client hands it to any call that waits. */
	private void commitAlthoughWoken(Map<TopicPartition, PartitionWindow> windows) {
		try {
			commit(windows);
		}
		catch (WakeupException ex) {
			try {
				commitAlthoughWoken(windows);
			}
			finally {
				this.consumer.wakeup();
			}
		}
	}

}
