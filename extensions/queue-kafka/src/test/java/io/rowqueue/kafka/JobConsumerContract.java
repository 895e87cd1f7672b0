package io.rowqueue.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobConsumer;
import io.rowqueue.transport.JobMessage;
import io.rowqueue.transport.JobPublisher;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.rowqueue.kafka.Polling.ids;
import static io.rowqueue.kafka.Polling.job;
import static io.rowqueue.kafka.Polling.jobs;
import static io.rowqueue.kafka.Polling.patiently;
import static io.rowqueue.kafka.Polling.poll;
import static io.rowqueue.kafka.Polling.publish;
import static io.rowqueue.kafka.Polling.settle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What a consumer promises, in whatever kind of group. */
abstract class JobConsumerContract {

	private static final Duration SHORT = Duration.ofMillis(300);

	final String type = TestBroker.newType();

	final KafkaTransport transport = TestBroker.transport(groupType(), partitions(), this.type);

	JobPublisher publisher;

	private final List<JobConsumer> consumers = new ArrayList<>();

	abstract GroupType groupType();

	abstract int partitions();

	@BeforeEach
	void connect() {
		this.publisher = this.transport.createPublisher();
	}

	@AfterEach
	void close() {
		this.consumers.forEach(JobConsumer::close);
		this.publisher.close();
		this.transport.close();
	}

	JobConsumer consumer() {
		JobConsumer consumer = patiently(() -> this.transport.createConsumer(this.type));
		this.consumers.add(consumer);
		return consumer;
	}

	void close(JobConsumer consumer) {
		this.consumers.remove(consumer);
		consumer.close();
	}

	@Test
	void deliversAJobAsItWasPublished() throws Exception {
		JobMessage full = JobMessage.of(1, this.type, "mail", 1_790_000_000_123_456L)
			.maxAttempts(7)
			.payload("{\"name\":\"Zoë 🙂\"}")
			.headers("{\"trace\":\"1\"}");
		JobMessage bare = JobMessage.of(Long.MAX_VALUE, this.type, "default", 1_790_000_000_123_457L);
		publish(this.publisher, List.of(full, bare));

		List<Delivery> deliveries = poll(consumer(), 2);

		assertThat(deliveries).extracting(Delivery::message).containsExactlyInAnyOrder(full, bare);
		assertThat(deliveries).extracting(Delivery::count).containsOnly(1);
		assertThat(deliveries).noneMatch(this.consumers.get(0)::isRevoked);
		this.consumers.get(0).acknowledge(deliveries);
	}

	@Test
	void doesNotDeliverWhatWasAcknowledged() throws Exception {
		publish(this.publisher, jobs(this.type, 0, 50));
		JobConsumer first = consumer();
		for (int received = 0; received < 50;) {
			List<Delivery> some = first.poll(10, SHORT);
			first.acknowledge(some);
			received += some.size();
		}
		close(first);
		publish(this.publisher, jobs(this.type, 50, 3));

		JobConsumer second = consumer();
		List<Delivery> rest = poll(second, 3);

		assertThat(ids(rest)).containsExactlyInAnyOrder(50L, 51L, 52L);
		second.acknowledge(rest);
		assertThat(second.poll(10, SHORT)).isEmpty();
	}

	@Test
	void returnsAtMostAsManyAsThereIsRoomFor() throws Exception {
		publish(this.publisher, jobs(this.type, 0, 40));
		JobConsumer consumer = consumer();
		List<Delivery> all = new ArrayList<>();
		await().until(() -> {
			assertThat(consumer.poll(0, Duration.ZERO)).isEmpty();
			List<Delivery> some = consumer.poll(7, SHORT);
			assertThat(some).hasSizeLessThanOrEqualTo(7);
			consumer.acknowledge(some);
			all.addAll(some);
			return all.size() >= 40;
		});
		assertThat(ids(all)).hasSize(40);
		assertThat(all).hasSize(40);
	}

	@Test
	void acknowledgesInAnyOrder() throws Exception {
		publish(this.publisher, jobs(this.type, 0, 30));
		JobConsumer first = consumer();
		List<Delivery> deliveries = poll(first, 30);
		List<Delivery> unsettled = deliveries.stream().filter((each) -> each.message().id() % 3 == 0).toList();
		first.acknowledge(deliveries.stream().filter((each) -> each.message().id() % 3 != 0).toList());
		first.release(unsettled);
		close(first);

		JobConsumer second = consumer();
		List<Delivery> rest = poll(second, 10);

		assertThat(ids(rest)).isEqualTo(ids(unsettled));
		second.acknowledge(rest);
		assertThat(second.poll(10, SHORT)).isEmpty();
	}

	@Test
	void deliversToOneOfSeveral() throws Exception {
		JobConsumer one = consumer();
		JobConsumer other = consumer();
		publish(this.publisher, jobs(this.type, 0, 200));
		List<Delivery> all = new ArrayList<>();
		await().until(() -> {
			for (JobConsumer each : List.of(one, other)) {
				List<Delivery> some = each.poll(20, Duration.ofMillis(50));
				each.acknowledge(some);
				all.addAll(some);
			}
			return ids(all).size() == 200;
		});
		assertThat(all).filteredOn((each) -> each.count() == 1).hasSize(200);
	}

	@Test
	void wakesUp() throws Exception {
		JobConsumer consumer = consumer();
		consumer.poll(1, SHORT);
		new Thread(consumer::wakeUp).start();
		assertThat(consumer.poll(1, Duration.ofMinutes(5))).isEmpty();
	}

	@Test
	void deliversARecordOfAnotherProgram() throws Exception {
		try (KafkaProducer<String, String> stranger = new KafkaProducer<>(
				Map.of("bootstrap.servers", TestBroker.kafka().bootstrapServers()), new StringSerializer(),
				new StringSerializer())) {
			stranger.send(new ProducerRecord<>("rowqueue.rowqueue." + this.type, 0, null, "no job")).get();
		}
		publish(this.publisher, jobs(this.type, 0, 3));
		assertThat(ids(settle(consumer(), 4))).isEqualTo(Set.of(-1L, 0L, 1L, 2L));
	}

	@Test
	void knowsTheLagAndDeletesWhatIsSettled() throws Exception {
		publish(this.publisher, jobs(this.type, 0, 30));
		JobConsumer consumer = consumer();
		List<Delivery> deliveries = poll(consumer, 20);
		consumer.acknowledge(deliveries);
		await().untilAsserted(() -> {
			consumer.poll(0, Duration.ZERO);
			assertThat(this.transport.lag(this.type)).hasValue(10);
		});

		this.transport.deleteAcknowledged();

		try (BrokerAdmin admin = new BrokerAdmin(ClientSettings.of(TestBroker.kafka().bootstrapServers()))) {
			long kept = new GroupProgress(admin)
				.of(new CarriedTypes(admin, new KafkaSettings("rowqueue", Set.of(this.type), groupType(), 3, false))
					.get(this.type))
				.values()
				.stream()
				.mapToLong((each) -> each.settledBelow() - each.first())
				.sum();
			assertThat(kept).isZero();
		}
		List<Delivery> rest = poll(consumer, 10);
		assertThat(ids(rest)).hasSize(10).doesNotContainAnyElementsOf(ids(deliveries));
		consumer.acknowledge(rest);
	}

	/** In a consumer group, the partition of the long job may be revoked meanwhile. */
	@Test
	void aJobThatTakesLongDoesNotStopOthers() throws Exception {
		JobConsumer slow = consumer();
		publish(this.publisher, List.of(job(this.type, 0)));
		Delivery running = poll(slow, 1).get(0);
		publish(this.publisher, jobs(this.type, 1, 1_500));
		JobConsumer quick = consumer();
		List<Delivery> others = new ArrayList<>();
		await().until(() -> {
			for (JobConsumer each : List.of(quick, slow)) {
				List<Delivery> some = each.poll(500, Duration.ofMillis(50));
				each.acknowledge(some);
				others.addAll(some);
			}
			Set<Long> ids = ids(others);
			ids.remove(0L);
			return ids.size() >= 1_500;
		});
		slow.acknowledge(List.of(running));
	}

}
