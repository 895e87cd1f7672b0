package io.pgqueue.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;

import io.pgqueue.transport.JobMessage;
import io.pgqueue.transport.JobPublisher;
import io.pgqueue.transport.TransportException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes jobs. All replicas that are in sync store a record before it counts as
 * published, and what the producer sends again is stored once.
 */
final class KafkaPublisher implements JobPublisher {

	/** The database ends the session of a relay that waits for longer than 10 seconds. */
	private static final int METADATA_TIMEOUT_MILLIS = 2_000;

	private static final int DELIVERY_TIMEOUT_MILLIS = 7_000;

	private final UnaryOperator<String> topics;

	private final Map<String, Object> settings;

	private @Nullable KafkaProducer<byte[], byte[]> producer;

	/**
	 * Creates a publisher that connects when it publishes first.
	 * @param settings how to connect
	 * @param topics returns the topic of a type
	 */
	KafkaPublisher(ClientSettings settings, UnaryOperator<String> topics) {
		this.topics = topics;
		this.settings = new HashMap<>(settings.producer());
		ReconnectSettings.apply(this.settings);
		this.settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
		this.settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
		this.settings.put(ProducerConfig.ACKS_CONFIG, "all");
		this.settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
		this.settings.put(ProducerConfig.RETRIES_CONFIG, Integer.MAX_VALUE);
		this.settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, METADATA_TIMEOUT_MILLIS);
		this.settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, DELIVERY_TIMEOUT_MILLIS / 2);
		this.settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_TIMEOUT_MILLIS);
		// a batch of jobs is flushed as soon as it is complete
		this.settings.put(ProducerConfig.LINGER_MS_CONFIG, 1_000);
		this.settings.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
	}

	@Override
	public void publish(List<JobMessage> jobs) throws InterruptedException {
		String what = jobs.size() + ((jobs.size() == 1) ? " job was" : " jobs were") + " not published to Kafka";
		try {
			KafkaProducer<byte[], byte[]> client = client();
			List<Future<RecordMetadata>> sent = new ArrayList<>(jobs.size());
			byType(jobs).forEach((type, ofType) -> send(client, this.topics.apply(type), ofType, sent));
			client.flush();
			for (Future<RecordMetadata> each : sent) {
				each.get();
			}
		}
		catch (InterruptException ex) {
			Thread.interrupted(); // the client sets it
			throw (InterruptedException) new InterruptedException(what).initCause(ex);
		}
		catch (ExecutionException | KafkaException ex) {
			throw KafkaErrors.of(what, ex);
		}
	}

	private static Map<String, List<JobMessage>> byType(List<JobMessage> jobs) {
		Map<String, List<JobMessage>> result = new LinkedHashMap<>();
		jobs.forEach((job) -> result.computeIfAbsent(job.type(), (type) -> new ArrayList<>()).add(job));
		return result;
	}

	/**
	 * The jobs of a batch are spread over the partitions. The client would fill one
	 * partition first, that is, one process of a consumer group.
	 */
	private static void send(KafkaProducer<byte[], byte[]> client, String topic, List<JobMessage> jobs,
			List<Future<RecordMetadata>> sent) {
		List<Integer> partitions = partitions(client, topic);
		int first = ThreadLocalRandom.current().nextInt(partitions.size());
		for (int i = 0; i < jobs.size(); i++) {
			int partition = partitions.get((first + i) % partitions.size());
			sent.add(client.send(RecordMapping.toRecord(topic, partition, jobs.get(i))));
		}
	}

	/** Those whose leader is alive, if there are any. */
	private static List<Integer> partitions(KafkaProducer<byte[], byte[]> client, String topic) {
		List<PartitionInfo> all = client.partitionsFor(topic);
		List<Integer> alive = all.stream()
			.filter((partition) -> partition.leader() != null && !partition.leader().isEmpty())
			.map(PartitionInfo::partition)
			.toList();
		return alive.isEmpty() ? all.stream().map(PartitionInfo::partition).toList() : alive;
	}

	private synchronized KafkaProducer<byte[], byte[]> client() {
		if (this.producer == null) {
			this.producer = new KafkaProducer<>(this.settings);
		}
		return this.producer;
	}

	@Override
	public synchronized void close() {
		if (this.producer != null) {
			try {
				this.producer.close(Duration.ofMillis(DELIVERY_TIMEOUT_MILLIS));
			}
			catch (KafkaException ex) {
				throw new TransportException("The producer of Kafka cannot be closed: " + ex.getMessage(), ex);
			}
		}
	}

}
