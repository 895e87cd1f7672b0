package io.rowqueue.kafka;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.rowqueue.transport.JobConsumer;
import io.rowqueue.transport.JobPublisher;
import io.rowqueue.transport.TransportException;
import io.rowqueue.transport.TransportSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.rowqueue.kafka.Polling.ids;
import static io.rowqueue.kafka.Polling.job;
import static io.rowqueue.kafka.Polling.settle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/** What is checked before jobs are given to Kafka. */
class TopicsAndGroupsTests {

	private final Admin admin = Admin.create(Map.of("bootstrap.servers", TestBroker.kafka().bootstrapServers()));

	private final String type = TestBroker.newType();

	private final String topic = "rowqueue.rowqueue." + this.type;

	@AfterEach
	void close() {
		this.admin.close();
	}

	@Test
	void aNewTopicKeepsItsRecords() throws Exception {
		try (KafkaTransport transport = TestBroker.transport(GroupType.AUTO, 5, this.type)) {
			transport.prepare();
		}
		assertThat(this.admin.describeTopics(List.of(this.topic)).topicNameValues().get(this.topic).get().partitions())
			.hasSize(5);
		assertThat(setting(ConfigResource.Type.TOPIC, "retention.ms")).isEqualTo("-1");
		assertThat(setting(ConfigResource.Type.TOPIC, "retention.bytes")).isEqualTo("-1");
	}

	@Test
	void aTopicThatForgetsIsRefused() throws Exception {
		this.admin.createTopics(List.of(new NewTopic(this.topic, 1, (short) 1))).all().get();
		try (KafkaTransport transport = TestBroker.transport(GroupType.AUTO, 5, this.type)) {
			assertThatExceptionOfType(BrokerRefusalException.class).isThrownBy(transport::prepare)
				.withMessageContaining(this.topic + " does not keep jobs")
				.withMessageContaining("--add-config retention");
		}
	}

	@Test
	void aMissingTopicIsRefusedIfItMayNotBeCreated() {
		try (KafkaTransport transport = new KafkaTransport(
				new KafkaSettings("rowqueue", Set.of(this.type), GroupType.AUTO, 7, false), TransportSettings.DEFAULT,
				ClientSettings.of(TestBroker.kafka().bootstrapServers()))) {
			assertThatExceptionOfType(BrokerRefusalException.class).isThrownBy(transport::prepare)
				.withMessageContaining("kafka-topics.sh --create --topic " + this.topic + " --partitions 7"
						+ " --config cleanup.policy=delete --config retention.bytes=-1 --config retention.ms=-1");
		}
	}

	@Test
	void aMissingTopicOfDeadLettersIsRefusedIfItMayNotBeCreated() throws Exception {
		String letters = Names.deadLetters(this.topic);
		try (BrokerAdmin own = new BrokerAdmin(ClientSettings.of(TestBroker.kafka().bootstrapServers()))) {
			KafkaSettings settings = new KafkaSettings("rowqueue", Set.of(this.type), GroupType.AUTO, 7, false);
			assertThatExceptionOfType(BrokerRefusalException.class)
				.isThrownBy(() -> new Topics(own, settings).prepareDeadLetters(letters))
				.withMessageContaining("--create --topic " + letters + " --partitions 1")
				.withMessageContaining("--config errors.deadletterqueue.group.enable=true")
				.withMessageContaining("--config retention.ms=-1");
		}
		assertThat(this.admin.listTopics().names().get()).doesNotContain(letters);
	}

	@Test
	void aTopicOfDeadLettersThatForgetsIsRefused() throws Exception {
		String letters = Names.deadLetters(this.topic);
		this.admin.createTopics(List.of(new NewTopic(letters, 1, (short) 1))).all().get();
		try (BrokerAdmin own = new BrokerAdmin(ClientSettings.of(TestBroker.kafka().bootstrapServers()))) {
			KafkaSettings settings = new KafkaSettings("rowqueue", Set.of(this.type), GroupType.AUTO, 7, true);
			assertThatExceptionOfType(BrokerRefusalException.class)
				.isThrownBy(() -> new Topics(own, settings).prepareDeadLetters(letters))
				.withMessageContaining(letters + " does not keep jobs");
		}
	}

	@Test
	void aShareGroupBeginsWithTheFirstJob() throws Exception {
		try (KafkaTransport transport = TestBroker.transport(GroupType.SHARE, 1, this.type)) {
			transport.prepare();
			assertThat(setting(ConfigResource.Type.GROUP, "share.auto.offset.reset")).isEqualTo("earliest");
		}
	}

	@Test
	void aGroupKeepsItsKind() throws Exception {
		try (KafkaTransport transport = TestBroker.transport(GroupType.CONSUMER, 1, this.type);
				var publisher = transport.createPublisher();
				var consumer = transport.createConsumer(this.type)) {
			publisher.publish(List.of(job(this.type, 1)));
			assertThat(settle(consumer, 1)).hasSize(1);
		}
		try (KafkaTransport transport = TestBroker.transport(GroupType.SHARE, 1, this.type)) {
			assertThatExceptionOfType(BrokerRefusalException.class).isThrownBy(transport::prepare)
				.withMessageContaining("is a consumer group, not a share group");
		}
		try (BrokerAdmin own = new BrokerAdmin(ClientSettings.of(TestBroker.kafka().bootstrapServers()))) {
			KafkaSettings auto = new KafkaSettings("rowqueue", Set.of(this.type), GroupType.AUTO, 1, false);
			assertThat(new CarriedTypes(own, auto).get(this.type).kind()).isEqualTo(GroupType.CONSUMER);
		}
	}

	@Test
	void aTopicThatWasDeletedTakesItsJobsAlong() throws Exception {
		publish(1);
		this.admin.deleteTopics(List.of(this.topic)).all().get();
		await().until(() -> !this.admin.listTopics().names().get().contains(this.topic));
		publish(2);
		try (KafkaTransport transport = TestBroker.transport(GroupType.CONSUMER, 1, this.type);
				var consumer = transport.createConsumer(this.type)) {
			assertThat(ids(settle(consumer, 1))).containsExactly(2L);
		}
	}

	@Test
	void aTopicThatIsGoneDoesNotKeepTheRecordsOfOthers() throws Exception {
		try (KafkaTransport transport = TestBroker.transport(GroupType.CONSUMER, 1, this.type, TestBroker.newType());
				JobPublisher publisher = transport.createPublisher()) {
			Iterator<String> types = transport.types().iterator();
			String gone = "rowqueue.rowqueue." + types.next();
			String other = types.next();
			publisher.publish(List.of(job(other, 1)));
			try (JobConsumer consumer = transport.createConsumer(other)) {
				settle(consumer, 1);
			}
			this.admin.deleteTopics(List.of(gone)).all().get();
			await().until(() -> !this.admin.listTopics().names().get().contains(gone));
			assertThatExceptionOfType(TransportException.class).isThrownBy(transport::deleteAcknowledged)
				.withMessageContaining(gone);
			TopicPartition partition = new TopicPartition("rowqueue.rowqueue." + other, 0);
			assertThat(this.admin.listOffsets(Map.of(partition, OffsetSpec.earliest()))
				.partitionResult(partition)
				.get()
				.offset()).isOne();
		}
	}

	private void publish(long id) throws InterruptedException {
		try (KafkaTransport transport = TestBroker.transport(GroupType.CONSUMER, 1, this.type)) {
			transport.prepare();
			try (var publisher = transport.createPublisher()) {
				publisher.publish(List.of(job(this.type, id)));
			}
		}
	}

	@Test
	void aBrokerThatIsAwayIsNoRefusal() {
		try (KafkaTransport transport = new KafkaTransport(
				new KafkaSettings("rowqueue", Set.of(this.type), GroupType.AUTO, 1, true), TransportSettings.DEFAULT,
				ClientSettings.of("127.0.0.1:1"))) {
			assertThatExceptionOfType(TransportException.class).isThrownBy(transport::prepare)
				.isNotInstanceOf(BrokerRefusalException.class)
				.withMessageContaining(this.topic);
		}
	}

	@Test
	void aTypeMustMakeTheNameOfATopic() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new KafkaSettings("rowqueue", Set.of("send mail"), GroupType.AUTO, 1, true))
			.withMessageStartingWith("types must not contain 'send mail'");
	}

	private String setting(ConfigResource.Type kind, String name) throws Exception {
		ConfigResource resource = new ConfigResource(kind, this.topic);
		return Optional.ofNullable(this.admin.describeConfigs(List.of(resource)).values().get(resource).get().get(name))
			.orElseThrow()
			.value();
	}

}
