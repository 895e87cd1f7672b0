package io.rowqueue.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

import io.rowqueue.devkafka.DevKafka;
import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobConsumer;
import io.rowqueue.transport.JobPublisher;
import io.rowqueue.transport.TransportException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A broker that dies in the middle loses no job that it has confirmed. */
@Tag("thorough")
class BrokerKilledTests {

	private static final Logger logger = LoggerFactory.getLogger(BrokerKilledTests.class);

	private static final int JOBS = 6_000;

	private static final int BATCH = 200;

	private static final String TYPE = "killed";

	private final Set<Long> received = ConcurrentHashMap.newKeySet();

	private final ConcurrentLinkedQueue<Long> deliveries = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean done = new AtomicBoolean();

	@ParameterizedTest
	@EnumSource(names = { "CONSUMER", "SHARE" })
	void losesNothing(GroupType groupType) throws Exception {
		run(groupType, 1);
	}

	@ParameterizedTest
	@EnumSource(names = { "CONSUMER", "SHARE" })
	void aClusterWhoseBrokersDieInTurnLosesNothing(GroupType groupType) throws Exception {
		run(groupType, 3);
	}

	private void run(GroupType groupType, int brokers) throws Exception {
		try (DevKafka kafka = DevKafka.start(brokers, TestBroker.SETTINGS);
				KafkaTransport transport = TestBroker.transport(kafka, groupType, 3, TYPE)) {
			transport.prepare();
			Thread consumer = new Thread(() -> consume(transport));
			consumer.start();
			Thread publisher = new Thread(() -> publish(transport));
			publisher.start();

			for (int i = 0; i < brokers; i++) {
				int enough = JOBS * (i + 1) / 4;
				await().until(() -> this.received.size() > enough);
				kafka.brokers().get(i).kill();
				kafka.brokers().get(i).start();
			}

			publisher.join();
			await().until(() -> this.received.size() == JOBS);
			this.done.set(true);
			consumer.join();
		}
		int twice = this.deliveries.size() - JOBS;
		logger.info("{} of {} jobs came again", twice, JOBS);
		assertThat(twice).as("what was published or received around the kill").isLessThan(JOBS / 2);
	}

	/** As the relay does: what may not have been stored is published again. */
	private void publish(KafkaTransport transport) {
		try (JobPublisher publisher = transport.createPublisher()) {
			for (int first = 0; first < JOBS; first += BATCH) {
				boolean published = false;
				while (!published) {
					try {
						publisher.publish(Polling.jobs(TYPE, first, BATCH));
						published = true;
					}
					catch (TransportException ex) {
						logger.info("Again: {}", ex.getMessage());
					}
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void consume(KafkaTransport transport) {
		try (JobConsumer consumer = transport.createConsumer(TYPE)) {
			while (!this.done.get()) {
				try {
					List<Delivery> some = consumer.poll(100, Duration.ofMillis(200));
					some.forEach((each) -> {
						this.received.add(each.message().id());
						this.deliveries.add(each.message().id());
					});
					consumer.acknowledge(some);
				}
				catch (TransportException ex) {
					logger.info("Again: {}", ex.getMessage());
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
