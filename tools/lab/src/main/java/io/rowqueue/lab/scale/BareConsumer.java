package io.rowqueue.lab.scale;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import tools.jackson.databind.json.JsonMapper;

/** What Kafka's consumer does without a queue: no slots, retries, or parking. */
final class BareConsumer {

	/** When nothing has come for so long, the topic has been read. */
	private static final Duration END = Duration.ofSeconds(3);

	private static final JsonMapper JSON = JsonMapper.shared();

	private final String servers;

	private final String topic;

	private final Consumer<ConsumerRecord<byte[], byte[]>> handler;

	private BareConsumer(String servers, String topic, Consumer<ConsumerRecord<byte[], byte[]>> handler) {
		this.servers = servers;
		this.topic = topic;
		this.handler = handler;
	}

	/** One that only counts. */
	static BareConsumer counting(String servers, String topic) {
		LongAdder count = new LongAdder();
		return new BareConsumer(servers, topic, (each) -> count.increment());
	}

	/**
	 * One that reads the payload and calls a handler in its own thread, as consumers do
	 * that commit what they have handled.
	 * @param work for how long the handler computes, in microseconds
	 */
	static BareConsumer handling(String servers, String topic, int work) {
		LongAdder count = new LongAdder();
		return new BareConsumer(servers, topic, (each) -> {
			if (JSON.readValue(each.value(), String.class) != null) {
				Instance.compute(work);
				count.increment();
			}
		});
	}

	/**
	 * Reads the topic from its beginning, in a group of its own, and returns records per
	 * second from the first to the last.
	 */
	double read(String group) {
		Map<String, Object> settings = Map.of("bootstrap.servers", this.servers, "group.id", group, "auto.offset.reset",
				"earliest", "enable.auto.commit", "false", "key.deserializer", ByteArrayDeserializer.class,
				"value.deserializer", ByteArrayDeserializer.class);
		try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings)) {
			consumer.subscribe(List.of(this.topic));
			long records = 0;
			long begin = 0;
			long latest = 0;
			while (latest == 0 || System.nanoTime() - latest < END.toNanos()) {
				int polled = 0;
				for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(200))) {
					this.handler.accept(each);
					polled++;
				}
				if (polled > 0) {
					consumer.commitAsync();
					records += polled;
					latest = System.nanoTime();
					begin = (begin == 0) ? latest : begin;
				}
			}
			return records / ((latest - begin) / 1e9);
		}
	}

}
