package io.rowqueue.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobConsumer;
import io.rowqueue.transport.TransportException;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupMaxSizeReachedException;
import org.apache.kafka.common.errors.WakeupException;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyCollection;
import static org.mockito.ArgumentMatchers.anyMap;
import static org.mockito.ArgumentMatchers.anySet;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;

/** A client whose state has changed meanwhile is an outage of the broker, which ends. */
class ClientStateTests {

	private static final CarriedType TYPE = new CarriedType("mail", "mails", GroupType.SHARE, true,
			Duration.ofSeconds(30), true);

	private static final TopicPartition PARTITION = new TopicPartition("mails", 0);

	@Test
	void aPartitionThatIsTakenAwayWhileAConsumerPreparesAPoll() throws Exception {
		KafkaConsumer<byte[], byte[]> client = mock();
		given(client.assignment()).willReturn(Set.of(PARTITION));
		given(client.poll(any())).willReturn(ConsumerRecords.empty());
		willThrow(new IllegalStateException("No current assignment for partition mails-0")).willDoNothing()
			.given(client)
			.pause(anyCollection());
		try (JobConsumer consumer = new ConsumerGroupConsumer(TYPE, "mails", () -> client, System::nanoTime)) {
			assertThatExceptionOfType(TransportException.class).isThrownBy(() -> consumer.poll(1, Duration.ZERO))
				.withMessageContaining("mail")
				.withMessageContaining("No current assignment");
			assertThat(consumer.poll(1, Duration.ZERO)).isEmpty();
		}
	}

	@Test
	void aWakeUpDoesNotPreventTheLastCommitOfARevokedPartition() throws Exception {
		KafkaConsumer<byte[], byte[]> client = mock();
		given(client.assignment()).willReturn(Set.of(PARTITION));
		given(client.poll(any())).willReturn(ConsumerRecords.empty());
		given(client.committed(anySet(), any())).willReturn(Map.of(PARTITION, new OffsetAndMetadata(0)));
		try (JobConsumer consumer = new ConsumerGroupConsumer(TYPE, "mails", () -> client, System::nanoTime)) {
			ArgumentCaptor<ConsumerRebalanceListener> listener = ArgumentCaptor.captor();
			then(client).should().subscribe(anyCollection(), listener.capture());
			listener.getValue().onPartitionsAssigned(Set.of(PARTITION));
			consumer.poll(1, Duration.ZERO);
			willThrow(new WakeupException()).willDoNothing().given(client).commitSync(anyMap(), any());
			listener.getValue().onPartitionsRevoked(Set.of(PARTITION));
			// the first opened it
			then(client).should(times(3)).commitSync(anyMap(), any());
			then(client).should().wakeup();
		}
	}

	/** Its only copy was lost, for example, or a broker that lacked its end leads it. */
	@Test
	void aPartitionThatHasLostItsEndDeliversWhatIsPublishedThen() throws Exception {
		KafkaConsumer<byte[], byte[]> client = client(1_000);
		try (JobConsumer consumer = new ConsumerGroupConsumer(TYPE, "mails", () -> client, System::nanoTime)) {
			listener(client).onPartitionsAssigned(Set.of(PARTITION));
			assertThat(consumer.poll(1, Duration.ZERO)).isEmpty();
			assertThat(consumer.poll(1, Duration.ZERO)).extracting((each) -> each.message().id()).containsExactly(7L);
		}
	}

	@Test
	void anAcknowledgementThatWasNotCommittedWhenThePartitionIsLostIsReported() throws Exception {
		KafkaConsumer<byte[], byte[]> client = client(7);
		List<Delivery> reported = new ArrayList<>();
		try (JobConsumer consumer = new ConsumerGroupConsumer(TYPE, "mails", () -> client, System::nanoTime)) {
			consumer.onAcknowledgeFailure(reported::addAll);
			listener(client).onPartitionsAssigned(Set.of(PARTITION));
			consumer.poll(1, Duration.ZERO);
			List<Delivery> delivered = consumer.poll(1, Duration.ZERO);
			consumer.acknowledge(delivered);
			assertThat(reported).isEmpty();
			listener(client).onPartitionsLost(Set.of(PARTITION));
			assertThat(reported).hasSize(1).isEqualTo(delivered);
		}
	}

	@Test
	void anAcknowledgementThatTheLastCommitContainsIsNotReported() throws Exception {
		KafkaConsumer<byte[], byte[]> client = client(7);
		List<Delivery> reported = new ArrayList<>();
		try (JobConsumer consumer = new ConsumerGroupConsumer(TYPE, "mails", () -> client, System::nanoTime)) {
			consumer.onAcknowledgeFailure(reported::addAll);
			listener(client).onPartitionsAssigned(Set.of(PARTITION));
			consumer.poll(1, Duration.ZERO);
			consumer.acknowledge(consumer.poll(1, Duration.ZERO));
			listener(client).onPartitionsRevoked(Set.of(PARTITION));
			assertThat(reported).isEmpty();
		}
	}

	/** It must start no job without one that is younger than that. */
	@Test
	void aConsumerOfAGroupWithAShortSessionCommitsOftenEnough() throws Exception {
		CarriedType type = new CarriedType("mail", "mails", GroupType.CONSUMER, true, Duration.ofSeconds(3), false);
		KafkaConsumer<byte[], byte[]> client = client(7);
		AtomicLong nanos = new AtomicLong();
		try (JobConsumer consumer = new ConsumerGroupConsumer(type, "mails", () -> client, nanos::get)) {
			listener(client).onPartitionsAssigned(Set.of(PARTITION));
			consumer.poll(1, Duration.ZERO);
			Delivery delivery = consumer.poll(1, Duration.ZERO).get(0);
			given(client.poll(any())).willAnswer((poll) -> nothingAfter(poll.getArgument(0), nanos));
			while (nanos.get() < Duration.ofMinutes(1).toNanos()) {
				consumer.poll(0, Duration.ofMinutes(1));
				assertThat(consumer.isRevoked(delivery)).isFalse();
			}
			consumer.acknowledge(List.of(delivery));
		}
	}

	/** The second poll returns a message. */
	private static KafkaConsumer<byte[], byte[]> client(long committed) {
		KafkaConsumer<byte[], byte[]> client = mock();
		given(client.assignment()).willReturn(Set.of(PARTITION));
		given(client.committed(anySet(), any())).willReturn(Map.of(PARTITION, new OffsetAndMetadata(committed)));
		given(client.poll(any())).willReturn(ConsumerRecords.empty())
			.willReturn(records(7))
			.willReturn(ConsumerRecords.empty());
		return client;
	}

	private static ConsumerRebalanceListener listener(KafkaConsumer<byte[], byte[]> client) {
		ArgumentCaptor<ConsumerRebalanceListener> listener = ArgumentCaptor.captor();
		then(client).should().subscribe(anyCollection(), listener.capture());
		return listener.getValue();
	}

	@Test
	void aShareConsumerThatRefusesToPollIsReplaced() throws Exception {
		KafkaShareConsumer<byte[], byte[]> broken = mock();
		given(broken.poll(any())).willReturn(records(7))
			.willThrow(new IllegalStateException("All records must be acknowledged"));
		KafkaShareConsumer<byte[], byte[]> next = mock();
		given(next.poll(any())).willReturn(records(8));
		Queue<KafkaShareConsumer<byte[], byte[]>> clients = new ArrayDeque<>(List.of(broken, next));
		try (JobConsumer consumer = new ShareGroupConsumer(TYPE, Map.of(), (settings) -> clients.remove(),
				System::nanoTime)) {
			List<Delivery> first = consumer.poll(1, Duration.ofMillis(1));
			consumer.acknowledge(first);
			assertThatExceptionOfType(TransportException.class).isThrownBy(() -> consumer.poll(1, Duration.ofMillis(1)))
				.withMessageContaining("must be acknowledged");
			then(broken).should().acknowledge(any(), eq(AcknowledgeType.ACCEPT));
			then(broken).should().close(any());
			assertThat(consumer.poll(1, Duration.ofMillis(1))).hasSize(1);
		}
	}

	/** It never joins again, also when there is room. */
	@Test
	void aConsumerThatTheGroupRefusesIsReplaced() throws Exception {
		KafkaConsumer<byte[], byte[]> refused = mock();
		given(refused.poll(any())).willThrow(new GroupMaxSizeReachedException("The group is full"))
			.willReturn(ConsumerRecords.empty());
		KafkaConsumer<byte[], byte[]> next = mock();
		given(next.poll(any())).willReturn(ConsumerRecords.empty());
		Queue<KafkaConsumer<byte[], byte[]>> clients = new ArrayDeque<>(List.of(refused, next));
		try (JobConsumer consumer = new ConsumerGroupConsumer(TYPE, "mails", clients::remove, System::nanoTime)) {
			assertThatExceptionOfType(TransportException.class).isThrownBy(() -> consumer.poll(1, Duration.ZERO));
			consumer.poll(1, Duration.ZERO);
			then(refused).should().close(any(CloseOptions.class));
			then(next).should().subscribe(anyCollection(), any());
			then(next).should().poll(any());
		}
	}

	@Test
	void whatTheBrokerHasNotConfirmedWhenAShareConsumerIsClosedIsReported() throws Exception {
		KafkaShareConsumer<byte[], byte[]> client = mock();
		given(client.poll(any())).willReturn(records(7));
		List<Delivery> reported = new ArrayList<>();
		JobConsumer consumer = new ShareGroupConsumer(TYPE, Map.of(), (settings) -> client, System::nanoTime);
		consumer.onAcknowledgeFailure(reported::addAll);
		List<Delivery> delivered = consumer.poll(1, Duration.ofMillis(1));
		consumer.acknowledge(delivered);
		consumer.poll(0, Duration.ZERO);
		then(client).should().commitAsync();
		consumer.close();
		assertThat(reported).hasSize(1).isEqualTo(delivered);
	}

	/** It never joins again, also when there is room. */
	@Test
	void aShareConsumerThatTheGroupRefusesIsReplaced() throws Exception {
		KafkaShareConsumer<byte[], byte[]> refused = mock();
		given(refused.poll(any())).willThrow(new GroupMaxSizeReachedException("The group is full"))
			.willReturn(ConsumerRecords.empty());
		KafkaShareConsumer<byte[], byte[]> next = mock();
		given(next.poll(any())).willReturn(records(8));
		Queue<KafkaShareConsumer<byte[], byte[]>> clients = new ArrayDeque<>(List.of(refused, next));
		try (JobConsumer consumer = new ShareGroupConsumer(TYPE, Map.of(), (settings) -> clients.remove(),
				System::nanoTime)) {
			assertThatExceptionOfType(TransportException.class)
				.isThrownBy(() -> consumer.poll(1, Duration.ofMillis(1)));
			assertThat(consumer.poll(1, Duration.ofMillis(1))).hasSize(1);
			then(refused).should().close(any());
		}
	}

	@Test
	void anAnswerThatAShareConsumerRefusesIsReported() throws Exception {
		KafkaShareConsumer<byte[], byte[]> broken = mock();
		given(broken.poll(any())).willReturn(records(7));
		willThrow(new IllegalStateException("The record cannot be acknowledged")).given(broken)
			.acknowledge(any(), any());
		List<Delivery> reported = new ArrayList<>();
		try (JobConsumer consumer = new ShareGroupConsumer(TYPE, Map.of(), (settings) -> broken, System::nanoTime)) {
			consumer.onAcknowledgeFailure(reported::addAll);
			List<Delivery> first = consumer.poll(1, Duration.ofMillis(1));
			consumer.acknowledge(first);
			assertThatExceptionOfType(TransportException.class)
				.isThrownBy(() -> consumer.poll(1, Duration.ofMillis(1)));
			assertThat(reported).isEqualTo(first);
			assertThat(consumer.poll(1, Duration.ofMillis(1))).extracting(Delivery::count).containsExactly(2);
		}
	}

	/** It may be stopped by a signal, for example, or by its garbage collector. */
	@Test
	void whatWasLockedBeforeTheProcessStoodStillIsRenewedBeforeItIsDelivered() throws Exception {
		AtomicLong nanos = new AtomicLong();
		KafkaShareConsumer<byte[], byte[]> client = mock();
		given(client.poll(any())).willAnswer((poll) -> nothingAfter(TYPE.exclusive(), nanos))
			.willReturn(records(7))
			.willReturn(records(7));
		try (JobConsumer consumer = new ShareGroupConsumer(TYPE, Map.of(), (settings) -> client, nanos::get)) {
			assertThat(consumer.poll(1, Duration.ofMillis(1))).isEmpty();
			List<Delivery> delivered = consumer.poll(1, Duration.ofMillis(1));
			then(client).should().acknowledge(any(), eq(AcknowledgeType.RENEW));
			assertThat(delivered).hasSize(1).noneMatch(consumer::isRevoked);
		}
	}

	@Test
	void whatWasLostWhileTheProcessStoodStillIsNotDelivered() throws Exception {
		AtomicLong nanos = new AtomicLong();
		KafkaShareConsumer<byte[], byte[]> client = mock();
		given(client.poll(any())).willAnswer((poll) -> nothingAfter(TYPE.exclusive(), nanos))
			.willReturn(records(7))
			.willReturn(ConsumerRecords.empty());
		try (JobConsumer consumer = new ShareGroupConsumer(TYPE, Map.of(), (settings) -> client, nanos::get)) {
			assertThat(consumer.poll(1, Duration.ofMillis(1))).isEmpty();
			assertThat(consumer.poll(1, Duration.ofMillis(1))).isEmpty();
			given(client.poll(any())).willReturn(records(7));
			assertThat(consumer.poll(1, Duration.ofMillis(1))).extracting(Delivery::count).containsExactly(2);
		}
	}

	/** Renewals return what the batch contains, and nothing else. */
	@Test
	void whatWasLockedBeforeALongBatchIsRenewedBeforeItIsDelivered() throws Exception {
		AtomicLong nanos = new AtomicLong();
		KafkaShareConsumer<byte[], byte[]> client = mock();
		given(client.poll(any())).willReturn(records(7));
		try (JobConsumer consumer = new ShareGroupConsumer(TYPE, Map.of(), (settings) -> client, nanos::get)) {
			List<Delivery> slow = consumer.poll(1, Duration.ofMillis(1));
			nanos.addAndGet(TYPE.exclusive().dividedBy(2).toNanos() + 1);
			assertThat(consumer.poll(0, Duration.ofMillis(1))).isEmpty();
			then(client).should(times(1)).acknowledge(any(), eq(AcknowledgeType.RENEW));
			consumer.acknowledge(slow);
			given(client.poll(any())).willReturn(records(8));
			assertThat(consumer.poll(1, Duration.ofMillis(1))).hasSize(1).noneMatch(consumer::isRevoked);
			then(client).should(times(2)).acknowledge(any(), eq(AcknowledgeType.RENEW));
		}
	}

	private static ConsumerRecords<byte[], byte[]> nothingAfter(Duration pause, AtomicLong nanos) {
		nanos.addAndGet(pause.toNanos());
		return ConsumerRecords.empty();
	}

	@Test
	void aMemberOfAConsumerGroupStartsNothingAfterItWasSuspended() throws Exception {
		AtomicLong nanos = new AtomicLong();
		KafkaConsumer<byte[], byte[]> client = client(7);
		given(client.poll(any())).willReturn(ConsumerRecords.empty())
			.willReturn(records(7))
			.willReturn(ConsumerRecords.empty());
		try (JobConsumer consumer = new ConsumerGroupConsumer(TYPE, "mails", () -> client, nanos::get)) {
			listener(client).onPartitionsAssigned(Set.of(PARTITION));
			consumer.poll(1, Duration.ZERO);
			List<Delivery> delivered = consumer.poll(1, Duration.ZERO);
			assertThat(delivered).hasSize(1).noneMatch(consumer::isRevoked);
			nanos.addAndGet(TYPE.exclusive().toNanos());
			assertThat(delivered).allMatch(consumer::isRevoked);
			consumer.acknowledge(delivered);
		}
	}

	private static ConsumerRecords<byte[], byte[]> records(long offset) {
		ConsumerRecord<byte[], byte[]> message = new ConsumerRecord<>(PARTITION.topic(), 0, offset, null, null);
		message.headers().add(RecordMapping.ID, Long.toString(offset).getBytes(StandardCharsets.UTF_8));
		return new ConsumerRecords<>(Map.of(PARTITION, List.of(message)), Map.of());
	}

}
