package io.rowqueue.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.rowqueue.transport.JobMessage;
import io.rowqueue.transport.JobPublisher;
import io.rowqueue.transport.TransportException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes jobs. All replicas that are in sync store a record before it counts as
 * published, and what the producer sends again is stored once. A producer that can never
 * publish again is replaced. Jobs whose topic is missing, or cannot carry them, are
 * refused: they hold up no others.
 */
final class KafkaPublisher implements JobPublisher {

	/** The database ends the session of a relay that waits for longer than 10 seconds. */
	private static final Duration MAX_WAIT = Duration.ofSeconds(9);

	private static final int METADATA_TIMEOUT_MILLIS = 2_000;

	private static final int DELIVERY_TIMEOUT_MILLIS = 7_000;

	private static final Logger logger = LoggerFactory.getLogger(KafkaPublisher.class);

	private final CheckedTopics topics;

	private final Map<String, Object> settings;

	private final Function<Map<String, Object>, Producer<byte[], byte[]>> clients;

	private final Duration maxWait;

	private final MissingTopics missing = new MissingTopics(System::nanoTime);

	private @Nullable Producer<byte[], byte[]> producer;

	private boolean closed;

	/**
	 * Creates a publisher that connects when it publishes first.
	 * @param settings how to connect
	 * @param topics the topics of the types
	 * @param clients creates a client with settings
	 */
	KafkaPublisher(ClientSettings settings, CheckedTopics topics,
			Function<Map<String, Object>, Producer<byte[], byte[]>> clients) {
		this(settings, topics, clients, MAX_WAIT);
	}

	/**
	 * Creates a publisher.
	 * @param maxWait how long to wait for the client at most: its thread, which gives up
	 * a record after some time, may have died
	 */
	KafkaPublisher(ClientSettings settings, CheckedTopics topics,
			Function<Map<String, Object>, Producer<byte[], byte[]>> clients, Duration maxWait) {
		this.clients = clients;
		this.maxWait = maxWait;
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
		// records are sent at once, since a flush would wait for them without an end
		this.settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
		this.settings.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
	}

	@Override
	public List<JobMessage> publish(List<JobMessage> jobs) throws InterruptedException {
		String what = jobs.size() + ((jobs.size() == 1) ? " job was" : " jobs were") + " not published to Kafka";
		long end = System.nanoTime() + this.maxWait.toNanos();
		Producer<byte[], byte[]> client = client(what);
		try {
			List<JobMessage> refused = new ArrayList<>();
			Map<JobMessage, Future<RecordMetadata>> sent = send(client, jobs, refused);
			refused.addAll(refused(sent, end));
			return refused;
		}
		catch (InterruptException ex) {
			Thread.interrupted(); // the client sets it
			throw (InterruptedException) new InterruptedException(what).initCause(ex);
		}
		catch (ExecutionException | java.util.concurrent.TimeoutException | KafkaException | IllegalStateException ex) {
			Throwable cause = (ex instanceof ExecutionException && ex.getCause() != null) ? ex.getCause() : ex;
			if (KafkaErrors.endsProducer(cause)) {
				replace(client, cause);
			}
			throw KafkaErrors.of(what, cause);
		}
	}

	/**
	 * Sends the jobs except those that are refused. Nothing is sent before all topics are
	 * known.
	 */
	private Map<JobMessage, Future<RecordMetadata>> send(Producer<byte[], byte[]> client, List<JobMessage> jobs,
			List<JobMessage> refused) {
		Map<String, List<JobMessage>> byType = new LinkedHashMap<>();
		jobs.forEach((job) -> byType.computeIfAbsent(job.type(), (type) -> new ArrayList<>()).add(job));
		Map<String, List<JobMessage>> byTopic = new LinkedHashMap<>();
		byType.forEach((type, ofType) -> this.topics.of(type)
			.ifPresentOrElse((topic) -> byTopic.put(topic, ofType), () -> refused.addAll(ofType)));
		Map<String, List<Integer>> partitions = partitions(client, byTopic.keySet());
		Map<JobMessage, Future<RecordMetadata>> sent = new LinkedHashMap<>();
		byTopic.forEach((topic, ofTopic) -> {
			List<Integer> known = partitions.get(topic);
			if (known == null) {
				refused.addAll(ofTopic);
			}
			else {
				send(client, topic, known, ofTopic, sent);
			}
		});
		return sent;
	}

	private static List<JobMessage> refused(Map<JobMessage, Future<RecordMetadata>> sent, long end)
			throws ExecutionException, InterruptedException, java.util.concurrent.TimeoutException {
		List<JobMessage> refused = new ArrayList<>();
		String reason = "";
		for (Map.Entry<JobMessage, Future<RecordMetadata>> each : sent.entrySet()) {
			try {
				each.getValue().get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
			}
			catch (ExecutionException ex) {
				if (!(ex.getCause() instanceof RecordTooLargeException)) {
					throw ex;
				}
				refused.add(each.getKey());
				reason = ex.getCause().getMessage();
			}
		}
		if (!refused.isEmpty()) {
			logger.warn("Kafka refuses {} because of the size of the record, so that the database runs it: {}. Raise"
					+ " max.request.size of the producer and max.message.bytes of the topic, or lower"
					+ " rowqueue.kafka.max-payload-size", text(refused), reason);
		}
		return refused;
	}

	private static String text(List<JobMessage> refused) {
		int others = refused.size() - 1;
		return refused.get(0) + ((others > 0) ? " and " + others + " others" : "");
	}

	/**
	 * The jobs of a batch are spread over the partitions. The client would fill one
	 * partition first, that is, one process of a consumer group.
	 */
	private static void send(Producer<byte[], byte[]> client, String topic, List<Integer> partitions,
			List<JobMessage> jobs, Map<JobMessage, Future<RecordMetadata>> sent) {
		int first = ThreadLocalRandom.current().nextInt(partitions.size());
		for (int i = 0; i < jobs.size(); i++) {
			int partition = partitions.get((first + i) % partitions.size());
			sent.put(jobs.get(i), client.send(RecordMapping.toRecord(topic, partition, jobs.get(i))));
		}
	}

	/**
	 * Returns the partitions of each topic that the broker has. There is time to learn of
	 * one topic that it is missing.
	 */
	private Map<String, List<Integer>> partitions(Producer<byte[], byte[]> client, Set<String> topics) {
		Map<String, List<Integer>> partitions = new HashMap<>();
		boolean waited = false;
		for (String topic : topics) {
			if (this.missing.contains(topic)) {
				continue;
			}
			try {
				partitions.put(topic, partitions(client, topic));
				this.missing.remove(topic);
			}
			catch (TimeoutException ex) {
				if (!(ex.getCause() instanceof UnknownTopicOrPartitionException)) {
					throw ex;
				}
				this.missing.add(topic);
				if (waited) {
					throw ex;
				}
				waited = true;
			}
		}
		return partitions;
	}

	/** Those whose leader is alive, if there are any. */
	private static List<Integer> partitions(Producer<byte[], byte[]> client, String topic) {
		List<PartitionInfo> all = client.partitionsFor(topic);
		List<Integer> alive = all.stream()
			.filter((partition) -> partition.leader() != null && !partition.leader().isEmpty())
			.map(PartitionInfo::partition)
			.toList();
		return alive.isEmpty() ? all.stream().map(PartitionInfo::partition).toList() : alive;
	}

	private synchronized Producer<byte[], byte[]> client(String what) {
		if (this.closed) {
			throw new TransportException(what + ": the publisher is closed", null);
		}
		if (this.producer == null) {
			try {
				this.producer = this.clients.apply(this.settings);
			}
			catch (KafkaException ex) {
				throw KafkaErrors.of(what, ex);
			}
		}
		return this.producer;
	}

	/** The next call creates another one, unless one has done so already. */
	private void replace(Producer<byte[], byte[]> client, Throwable reason) {
		synchronized (this) {
			if (this.producer != client) {
				return;
			}
			this.producer = null;
		}
		logger.warn("The producer of Kafka is replaced, since it cannot publish again: {}", reason.toString());
		try {
			client.close(Duration.ZERO);
		}
		catch (KafkaException ex) {
			reason.addSuppressed(ex);
		}
	}

	@Override
	public synchronized void close() {
		this.closed = true;
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
