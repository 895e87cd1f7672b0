package io.rowqueue.kafka;

import java.util.List;
import java.util.Map;

import io.rowqueue.transport.JobConsumer;
import io.rowqueue.transport.JobPublisher;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static io.rowqueue.kafka.Polling.jobs;
import static io.rowqueue.kafka.Polling.settle;
import static org.assertj.core.api.Assertions.assertThat;

class AcknowledgedRecordsTests {

	private static final ClientSettings CLIENTS = ClientSettings.of(TestBroker.kafka().bootstrapServers());

	private final String topic = "rowqueue.rowqueue." + TestBroker.newType();

	/** As on a broker that keeps what was delivered too often. */
	private final CarriedType type = new CarriedType("mail", this.topic, GroupType.CONSUMER, true,
			ConsumerGroupConsumer.CLASSIC_SESSION, true);

	@AutoClose
	private final Admin admin = Admin.create(Map.of("bootstrap.servers", TestBroker.kafka().bootstrapServers()));

	@AutoClose
	private final BrokerAdmin own = new BrokerAdmin(CLIENTS);

	@Test
	void whatTheBrokerHasGivenUpIsDeletedWhenItIsAcknowledged() throws Exception {
		String letters = "dlq." + this.topic;
		this.admin.createTopics(List.of(new NewTopic(this.topic, 1, (short) 1), new NewTopic(letters, 1, (short) 1)))
			.all()
			.get();
		publish(this.topic, 3);
		publish(letters, 5);
		try (JobConsumer consumer = new ConsumerFactory(CLIENTS).create(this.type.ofDeadLetters())) {
			settle(consumer, 4);
		}
		new AcknowledgedRecords(this.own, new GroupProgress(this.own)).delete(this.type);
		assertThat(first(this.topic)).as("what nobody has received").isZero();
		assertThat(first(letters)).isEqualTo(4);
	}

	private static void publish(String topic, int count) throws InterruptedException {
		try (JobPublisher publisher = new KafkaPublisher(CLIENTS, new CheckedTopics((type) -> topic, System::nanoTime),
				KafkaProducer::new)) {
			publisher.publish(jobs("mail", 1, count));
		}
	}

	private long first(String topic) throws Exception {
		TopicPartition partition = new TopicPartition(topic, 0);
		return this.admin.listOffsets(Map.of(partition, OffsetSpec.earliest()))
			.partitionResult(partition)
			.get()
			.offset();
	}

}
