package io.rowqueue.kafka;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobConsumer;
import io.rowqueue.transport.JobMessage;
import io.rowqueue.transport.JobPublisher;
import io.rowqueue.transport.TransportException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static io.rowqueue.kafka.Polling.ids;
import static io.rowqueue.kafka.Polling.job;
import static io.rowqueue.kafka.Polling.settle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;

class KafkaPublisherTests {

	private static final RecordMetadata STORED = new RecordMetadata(new TopicPartition("mails", 0), 0, 0, 0, 0, 0);

	private static final List<JobMessage> JOB = List.of(job("mail", 1));

	private static Stream<RuntimeException> finalErrors() {
		return Stream.of(new ClusterAuthorizationException("No"), new ProducerFencedException("No"),
				new UnsupportedVersionException("No"), new SaslAuthenticationException("No"),
				new KafkaException("Cannot execute transactional method because we are in an error state"));
	}

	@ParameterizedTest
	@MethodSource("finalErrors")
	void aProducerThatCannotPublishAgainIsReplaced(RuntimeException error) throws Exception {
		Producer<byte[], byte[]> failed = producer();
		given(failed.send(any())).willReturn(CompletableFuture.failedFuture(error));
		Producer<byte[], byte[]> next = producer();
		try (JobPublisher publisher = publisher(List.of(failed, next))) {
			assertThatExceptionOfType(TransportException.class).isThrownBy(() -> publisher.publish(JOB));
			assertThat(publisher.publish(JOB)).isEmpty();
			then(failed).should().close(Duration.ZERO);
			then(next).should().send(any());
		}
	}

	@Test
	void aProducerThatHasEndedIsReplaced() throws Exception {
		Producer<byte[], byte[]> ended = producer();
		given(ended.send(any())).willThrow(new IllegalStateException("The producer has been closed"));
		willThrow(new KafkaException("Failed to close")).given(ended).close(any());
		try (JobPublisher publisher = publisher(List.of(ended, producer()))) {
			assertThatExceptionOfType(TransportException.class).isThrownBy(() -> publisher.publish(JOB));
			assertThat(publisher.publish(JOB)).isEmpty();
		}
	}

	private static Stream<RuntimeException> passingErrors() {
		return Stream.of(new TimeoutException("No answer"), new TopicAuthorizationException("No"));
	}

	@ParameterizedTest
	@MethodSource("passingErrors")
	void aProducerIsKeptIfItCanPublishAgain(RuntimeException error) throws Exception {
		Producer<byte[], byte[]> producer = producer();
		given(producer.send(any())).willReturn(CompletableFuture.failedFuture(error))
			.willReturn(CompletableFuture.completedFuture(STORED));
		try (JobPublisher publisher = publisher(List.of(producer))) {
			assertThatExceptionOfType(TransportException.class).isThrownBy(() -> publisher.publish(JOB));
			assertThat(publisher.publish(JOB)).isEmpty();
			then(producer).should(never()).close(Duration.ZERO);
		}
	}

	/** As one that had no memory: nothing is sent or given up any more. */
	@Test
	void aProducerThatDoesNotAnswerInTimeIsReplaced() throws Exception {
		Producer<byte[], byte[]> dead = producer();
		given(dead.send(any())).willReturn(new CompletableFuture<>());
		willAnswer((flush) -> {
			new CountDownLatch(1).await();
			return null;
		}).given(dead).flush();
		Producer<byte[], byte[]> next = producer();
		try (JobPublisher publisher = publisher(List.of(dead, next), Duration.ofMillis(1))) {
			assertThatExceptionOfType(TransportException.class).isThrownBy(() -> publisher.publish(JOB));
			assertThat(publisher.publish(JOB)).isEmpty();
			then(dead).should().close(Duration.ZERO);
		}
	}

	/** As one whose records the broker deletes by age. */
	@Test
	void jobsOfATypeWhoseTopicCannotCarryThemAreRefusedAndHoldUpNoOthers() throws Exception {
		AtomicBoolean wrong = new AtomicBoolean(true);
		AtomicLong clock = new AtomicLong();
		CheckedTopics topics = new CheckedTopics((type) -> {
			if (wrong.get() && type.equals("texts")) {
				throw new BrokerRefusalException("The topic does not keep jobs.", "Change it.", null);
			}
			return type;
		}, clock::get);
		Producer<byte[], byte[]> producer = producer();
		List<JobMessage> jobs = List.of(job("texts", 1), job("mails", 2));
		try (JobPublisher publisher = new KafkaPublisher(ClientSettings.of("broker:9092"), topics,
				(settings) -> producer)) {
			assertThat(publisher.publish(jobs)).containsExactly(jobs.get(0));
			then(producer).should(times(1)).send(any());
			wrong.set(false);
			assertThat(publisher.publish(jobs)).as("it is not checked each time").containsExactly(jobs.get(0));
			clock.addAndGet(CheckedTopics.PAUSE.toNanos());
			assertThat(publisher.publish(jobs)).isEmpty();
		}
	}

	@Test
	void aTypeThatTheBrokerCannotCarryKeepsNoJobsOfOthers() throws Exception {
		String wrong = TestBroker.newType();
		String other = TestBroker.newType();
		try (Admin admin = Admin.create(Map.of("bootstrap.servers", TestBroker.kafka().bootstrapServers()))) {
			admin.createTopics(List.of(new NewTopic("rowqueue.rowqueue." + wrong, 1, (short) 1))).all().get();
		}
		try (KafkaTransport transport = TestBroker.transport(GroupType.CONSUMER, 1, wrong, other);
				JobPublisher publisher = transport.createPublisher();
				JobConsumer consumer = transport.createConsumer(other)) {
			JobMessage refused = job(wrong, 1);
			assertThat(publisher.publish(List.of(refused, job(other, 2)))).containsExactly(refused);
			assertThat(ids(settle(consumer, 1))).isEqualTo(Set.of(2L));
		}
	}

	@Test
	void jobsOfATypeWhoseTopicWasDeletedAreRefusedAndHoldUpNoOthers() throws Exception {
		String gone = TestBroker.newType();
		String other = TestBroker.newType();
		try (KafkaTransport transport = TestBroker.transport(GroupType.CONSUMER, 1, gone, other);
				JobPublisher publisher = transport.createPublisher();
				JobConsumer consumer = transport.createConsumer(other)) {
			assertThat(publisher.publish(List.of(job(gone, 1), job(other, 2)))).isEmpty();
			delete("rowqueue.rowqueue." + gone);
			assertThatExceptionOfType(TransportException.class).as("its partition was known")
				.isThrownBy(() -> publisher.publish(List.of(job(gone, 3))));
			JobMessage refused = job(gone, 4);
			assertThat(publisher.publish(List.of(refused, job(other, 5)))).containsExactly(refused);
			assertThat(ids(settle(consumer, 2))).isEqualTo(Set.of(2L, 5L));
		}
	}

	private static void delete(String topic) throws Exception {
		try (Admin admin = Admin.create(Map.of("bootstrap.servers", TestBroker.kafka().bootstrapServers()))) {
			admin.deleteTopics(List.of(topic)).all().get();
			await().until(() -> !admin.listTopics().names().get().contains(topic));
		}
	}

	@Test
	void aTopicThatIsMissingIsNotAskedForEachTime() throws Exception {
		Producer<byte[], byte[]> producer = producer();
		given(producer.partitionsFor("texts")).willThrow(missing());
		given(producer.partitionsFor("calls")).willThrow(missing());
		List<JobMessage> jobs = List.of(job("texts", 1), job("mails", 2), job("calls", 3));
		try (JobPublisher publisher = publisher(List.of(producer), Duration.ofSeconds(10))) {
			assertThatExceptionOfType(TransportException.class).as("there is time to wait for one")
				.isThrownBy(() -> publisher.publish(jobs));
			then(producer).should(never()).send(any());
			assertThat(publisher.publish(jobs)).containsExactly(jobs.get(0), jobs.get(2));
			then(producer).should(times(1)).partitionsFor("texts");
			then(producer).should(times(1)).partitionsFor("calls");
			then(producer).should(times(1)).send(any());
		}
	}

	private static TimeoutException missing() {
		return new TimeoutException("not present in metadata", new UnknownTopicOrPartitionException());
	}

	/** Its producer would never be closed. */
	@Test
	void aClosedPublisherPublishesNothing() {
		Producer<byte[], byte[]> producer = producer();
		JobPublisher publisher = publisher(List.of(producer));
		publisher.close();
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> publisher.publish(JOB))
			.withMessageContaining("closed");
	}

	@Test
	void aRecordThatTheProducerFindsTooLargeIsRefusedAlone() throws Exception {
		assertRefusedAlone(2_000_000);
	}

	@Test
	void aRecordThatTheTopicFindsTooLargeIsRefusedAlone() throws Exception {
		assertRefusedAlone(20_000);
	}

	private static void assertRefusedAlone(int size) throws Exception {
		String type = TestBroker.newType();
		JobMessage large = job(type, 2).payload('"' + "x".repeat(size) + '"');
		try (KafkaTransport transport = TestBroker.transport(GroupType.CONSUMER, 1, type);
				JobPublisher publisher = transport.createPublisher();
				JobConsumer consumer = transport.createConsumer(type)) {
			limitRecords("rowqueue.rowqueue." + type, 10_000);
			assertThat(publisher.publish(List.of(job(type, 1), large, job(type, 3)))).containsExactly(large);
			List<Delivery> received = new ArrayList<>(settle(consumer, 2));
			assertThat(ids(received)).isEqualTo(Set.of(1L, 3L));
		}
	}

	private static void limitRecords(String topic, int bytes) throws Exception {
		try (Admin admin = Admin.create(Map.of("bootstrap.servers", TestBroker.kafka().bootstrapServers()))) {
			ConfigEntry limit = new ConfigEntry("max.message.bytes", Integer.toString(bytes));
			admin.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic),
					List.of(new AlterConfigOp(limit, AlterConfigOp.OpType.SET))))
				.all()
				.get();
		}
	}

	/** Stores what is sent. */
	private static Producer<byte[], byte[]> producer() {
		Producer<byte[], byte[]> producer = mock();
		Node broker = new Node(1, "broker", 9092);
		given(producer.partitionsFor(anyString()))
			.willReturn(List.of(new PartitionInfo("mails", 0, broker, new Node[] { broker }, new Node[] { broker })));
		given(producer.send(any())).willReturn(CompletableFuture.completedFuture(STORED));
		return producer;
	}

	private static JobPublisher publisher(List<Producer<byte[], byte[]>> producers) {
		return publisher(producers, Duration.ofSeconds(10));
	}

	private static JobPublisher publisher(List<Producer<byte[], byte[]>> producers, Duration maxWait) {
		Queue<Producer<byte[], byte[]>> clients = new ArrayDeque<>(producers);
		return new KafkaPublisher(ClientSettings.of("broker:9092"), new CheckedTopics((type) -> type, System::nanoTime),
				(settings) -> clients.remove(), maxWait);
	}

}
