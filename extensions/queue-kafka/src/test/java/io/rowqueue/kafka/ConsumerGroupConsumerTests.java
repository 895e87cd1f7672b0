package io.rowqueue.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobConsumer;
import io.rowqueue.transport.JobPublisher;
import io.rowqueue.transport.TransportSettings;
import org.junit.jupiter.api.Test;

import static io.rowqueue.kafka.Polling.ids;
import static io.rowqueue.kafka.Polling.jobs;
import static io.rowqueue.kafka.Polling.patiently;
import static io.rowqueue.kafka.Polling.poll;
import static io.rowqueue.kafka.Polling.publish;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class ConsumerGroupConsumerTests extends JobConsumerContract {

	@Override
	GroupType groupType() {
		return GroupType.CONSUMER;
	}

	@Override
	int partitions() {
		return 3;
	}

	@Test
	void whatWasNotStartedComesToTheNextOneAsAFirstDelivery() throws Exception {
		publish(this.publisher, jobs(this.type, 0, 20));
		JobConsumer first = consumer();
		first.release(poll(first, 20));
		close(first);
		JobConsumer second = consumer();
		List<Delivery> again = poll(second, 20);
		assertThat(again).extracting(Delivery::count).containsOnly(1);
		second.acknowledge(again);
	}

	@Test
	void whatRunsWhileThePartitionIsRevokedIsWaitedFor() throws Exception {
		publish(this.publisher, jobs(this.type, 0, 3));
		JobConsumer first = consumer();
		List<Delivery> running = poll(first, 3);
		CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> close(first),
				(task) -> new Thread(task).start());
		await().until(() -> running.stream().allMatch(first::isRevoked));
		first.acknowledge(running);
		closing.join();
		publish(this.publisher, jobs(this.type, 3, 1));
		JobConsumer second = consumer();
		List<Delivery> next = poll(second, 1);
		assertThat(ids(next)).containsExactly(3L);
		assertThat(next.get(0).count()).isEqualTo(1);
		second.acknowledge(next);
	}

	@Test
	void whatStillRunsWhenThePartitionIsGoneIsDeliveredWithAHigherCount() throws Exception {
		publish(this.publisher, jobs(this.type, 0, 3));
		JobConsumer first = consumer();
		List<Delivery> running = poll(first, 3);
		Collection<Delivery> refused = new CopyOnWriteArrayList<>();
		first.onAcknowledgeFailure(refused::addAll);
		close(first);
		JobConsumer second = consumer();
		List<Delivery> again = poll(second, 3);
		assertThat(again).extracting(Delivery::count).containsOnly(2);
		first.acknowledge(running);
		assertThat(refused).containsExactlyInAnyOrderElementsOf(running);
		second.acknowledge(again);
	}

	@Test
	void aConsumerThatAnInterruptedThreadClosesStoresItsLastCommit() throws Exception {
		publish(this.publisher, jobs(this.type, 0, 3));
		JobConsumer first = consumer();
		first.acknowledge(poll(first, 3));
		Thread.currentThread().interrupt();
		close(first);
		assertThat(Thread.interrupted()).as("the thread is interrupted still").isTrue();
		publish(this.publisher, jobs(this.type, 3, 1));
		JobConsumer second = consumer();
		List<Delivery> next = poll(second, 1);
		assertThat(ids(next)).containsExactly(3L);
		second.acknowledge(next);
	}

	/** The group takes the partitions away from a member that has not polled in time. */
	@Test
	void aConsumerWithAShortPollIntervalStartsNothingThatAnotherOneHasReceived() throws Exception {
		String own = TestBroker.newType();
		ClientSettings settings = ClientSettings.of(TestBroker.kafka().bootstrapServers());
		Map<String, Object> impatient = new HashMap<>(settings.consumer());
		impatient.put("max.poll.interval.ms", "1000");
		KafkaSettings queue = new KafkaSettings("rowqueue", Set.of(own), GroupType.CONSUMER, 1, true);
		try (KafkaTransport transport = new KafkaTransport(queue, TransportSettings.DEFAULT,
				new ClientSettings(settings.admin(), settings.producer(), impatient));
				JobPublisher publisher = transport.createPublisher();
				JobConsumer blocked = patiently(() -> transport.createConsumer(own))) {
			publish(publisher, jobs(own, 0, 3));
			List<Delivery> waiting = poll(blocked, 3);
			try (KafkaTransport next = TestBroker.transport(GroupType.CONSUMER, 1, own);
					JobConsumer other = patiently(() -> next.createConsumer(own))) {
				List<Delivery> again = poll(other, 3);
				assertThat(again).extracting(Delivery::count).containsOnly(2);
				assertThat(waiting).allMatch(blocked::isRevoked);
				other.acknowledge(again);
			}
			blocked.release(waiting);
		}
	}

	@Test
	void aConsumerThatIsWokenToBeClosedStoresItsLastCommit() throws Exception {
		publish(this.publisher, jobs(this.type, 0, 3));
		JobConsumer first = consumer();
		first.release(poll(first, 3));
		first.wakeUp();
		close(first);
		JobConsumer second = consumer();
		List<Delivery> again = poll(second, 3);
		assertThat(again).extracting(Delivery::count).containsOnly(1);
		second.acknowledge(again);
	}

	@Test
	void releasedJobsComeAgainToTheSameProcess() throws Exception {
		publish(this.publisher, jobs(this.type, 0, 5));
		JobConsumer consumer = consumer();
		consumer.release(poll(consumer, 5));
		List<Delivery> again = poll(consumer, 5);
		assertThat(again).extracting(Delivery::count).containsOnly(1);
		assertThat(ids(again)).hasSize(5);
		consumer.acknowledge(again);
	}

	@Test
	void aPartitionDeliversAtMostAWindowBeyondItsOldestJob() throws Exception {
		KafkaTransport onePartition = TestBroker.transport(GroupType.CONSUMER, 1, TestBroker.newType());
		String type = onePartition.types().iterator().next();
		try (onePartition;
				var own = onePartition.createPublisher();
				JobConsumer consumer = patiently(() -> onePartition.createConsumer(type))) {
			for (int i = 0; i < 12; i++) {
				publish(own, jobs(type, i * 1_000L, 1_000));
			}
			Delivery oldest = poll(consumer, 1).get(0);
			List<Delivery> others = new ArrayList<>();
			await().until(() -> {
				List<Delivery> some = consumer.poll(1_000, Duration.ofMillis(200));
				others.addAll(some);
				consumer.acknowledge(some);
				return others.size() >= PartitionWindow.MAX_SPAN - 1 && some.isEmpty();
			});
			assertThat(others).hasSizeLessThan(PartitionWindow.MAX_SPAN + 1_000);
			consumer.acknowledge(List.of(oldest));
			List<Delivery> rest = poll(consumer, 11_999 - others.size());
			others.addAll(rest);
			assertThat(ids(others)).hasSize(11_999);
			consumer.acknowledge(rest);
		}
	}

}
