package io.rowqueue.kafka;

import java.nio.charset.StandardCharsets;

import io.rowqueue.transport.JobMessage;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * A job as a record: the value is the payload as JSON, all else is in headers, as text in
 * UTF-8. Programs in other languages write and read it without this library.
 */
final class RecordMapping {

	static final String ID = "rowqueue-id";

	static final String QUEUE = "rowqueue-queue";

	static final String CREATED = "rowqueue-created";

	static final String MAX_ATTEMPTS = "rowqueue-max-attempts";

	static final String HEADERS = "rowqueue-headers";

	private static final long NO_NUMBER = -1;

	private static final String DEFAULT_QUEUE = "default";

	private RecordMapping() {
	}

	static ProducerRecord<byte[], byte[]> toRecord(String topic, int partition, JobMessage job) {
		ProducerRecord<byte[], byte[]> result = new ProducerRecord<>(topic, partition, null, bytes(job.payload()));
		add(result.headers(), ID, Long.toString(job.id()));
		add(result.headers(), QUEUE, job.queue());
		add(result.headers(), CREATED, Long.toString(job.createdAt()));
		add(result.headers(), MAX_ATTEMPTS, (job.maxAttempts() != null) ? job.maxAttempts().toString() : null);
		add(result.headers(), HEADERS, job.headers());
		return result;
	}

	/**
	 * Returns the job of a record. What another program wrote may lack an id, or have
	 * numbers that are none: such a job is stored with an id that the queue gives it.
	 */
	static JobMessage toJob(String type, ConsumerRecord<byte[], byte[]> message) {
		String queue = text(message, QUEUE);
		String created = text(message, CREATED);
		String maxAttempts = text(message, MAX_ATTEMPTS);
		long createdAt = (created != null) ? number(created) : message.timestamp() * 1000;
		return JobMessage.of(number(text(message, ID)), type, (queue != null) ? queue : DEFAULT_QUEUE, createdAt)
			.maxAttempts((maxAttempts != null)
					? (int) Math.max(NO_NUMBER, Math.min(number(maxAttempts), Integer.MAX_VALUE)) : null)
			.payload(text(message.value()))
			.headers(text(message, HEADERS));
	}

	/**
	 * Returns where a record is. A topic that was created anew has the same offsets
	 * again, and other times.
	 */
	static String origin(ConsumerRecord<byte[], byte[]> message) {
		return "Kafka " + message.topic() + "-" + message.partition() + " offset " + message.offset() + " of "
				+ message.timestamp();
	}

	/** Returns a number that is none as one that the queue does not write. */
	private static long number(@Nullable String text) {
		try {
			return (text != null) ? Long.parseLong(text) : NO_NUMBER;
		}
		catch (NumberFormatException ex) {
			return NO_NUMBER;
		}
	}

	private static void add(Headers headers, String name, @Nullable String value) {
		if (value != null) {
			headers.add(name, value.getBytes(StandardCharsets.UTF_8));
		}
	}

	private static @Nullable String text(ConsumerRecord<byte[], byte[]> message, String name) {
		Header header = message.headers().lastHeader(name);
		return (header != null) ? text(header.value()) : null;
	}

	private static @Nullable String text(byte @Nullable [] value) {
		return (value != null) ? new String(value, StandardCharsets.UTF_8) : null;
	}

	private static byte @Nullable [] bytes(@Nullable String value) {
		return (value != null) ? value.getBytes(StandardCharsets.UTF_8) : null;
	}

}
