package io.rowqueue.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.devkafka.DevKafka;
import io.rowqueue.transport.TransportSettings;
import org.awaitility.Awaitility;

/** The broker of the tests of this JVM: it notices dead members within seconds. */
final class TestBroker {

	static {
		Awaitility.setDefaultTimeout(Duration.ofMinutes(3)); // on the slowest machine
	}

	static final Map<String, String> SETTINGS = Map.ofEntries(
			Map.entry("group.consumer.min.session.timeout.ms", "1000"),
			Map.entry("group.consumer.session.timeout.ms", "6000"),
			Map.entry("group.consumer.min.heartbeat.interval.ms", "200"),
			Map.entry("group.consumer.heartbeat.interval.ms", "500"),
			Map.entry("group.share.min.session.timeout.ms", "1000"),
			Map.entry("group.share.session.timeout.ms", "6000"),
			Map.entry("group.share.min.heartbeat.interval.ms", "200"),
			Map.entry("group.share.heartbeat.interval.ms", "500"),
			Map.entry("group.share.min.record.lock.duration.ms", "1000"),
			Map.entry("group.share.record.lock.duration.ms", "6000"));

	private static final AtomicInteger types = new AtomicInteger();

	private static final DevKafka KAFKA = DevKafka.start(1, SETTINGS);

	private TestBroker() {
	}

	static DevKafka kafka() {
		return KAFKA;
	}

	/** A type whose topic does not exist. */
	static String newType() {
		return "type-" + types.incrementAndGet();
	}

	static KafkaTransport transport(GroupType groupType, int partitions, String... types) {
		return transport(KAFKA, groupType, partitions, types);
	}

	static KafkaTransport transport(DevKafka kafka, GroupType groupType, int partitions, String... types) {
		return new KafkaTransport(new KafkaSettings("rowqueue", Set.of(types), groupType, partitions, true),
				TransportSettings.DEFAULT, ClientSettings.of(kafka.bootstrapServers()));
	}

}
