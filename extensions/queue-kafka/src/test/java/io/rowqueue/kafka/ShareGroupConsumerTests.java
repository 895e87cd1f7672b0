package io.rowqueue.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobConsumer;
import org.junit.jupiter.api.Test;

import static io.rowqueue.kafka.Polling.ids;
import static io.rowqueue.kafka.Polling.jobs;
import static io.rowqueue.kafka.Polling.poll;
import static io.rowqueue.kafka.Polling.publish;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class ShareGroupConsumerTests extends JobConsumerContract {

	private static final Duration LOCK = Duration.ofSeconds(6);

	@Override
	GroupType groupType() {
		return GroupType.SHARE;
	}

	/**
	 * A member receives nothing while a record of its batch, which may be of one
	 * partition, is not settled.
	 */
	@Override
	int partitions() {
		return 1;
	}

	@Test
	void releasedJobsComeAgainWithAHigherCount() throws Exception {
		publish(this.publisher, jobs(this.type, 0, 5));
		JobConsumer consumer = consumer();
		consumer.release(poll(consumer, 5));
		List<Delivery> again = poll(consumer, 5);
		assertThat(again).extracting(Delivery::count).containsOnly(2);
		assertThat(ids(again)).hasSize(5);
		consumer.acknowledge(again);
	}

	@Test
	void whatWasNotAcknowledgedComesToAnotherOneWithAHigherCount() throws Exception {
		publish(this.publisher, jobs(this.type, 0, 5));
		JobConsumer first = consumer();
		poll(first, 5);
		close(first);
		JobConsumer second = consumer();
		List<Delivery> again = poll(second, 5);
		assertThat(again).extracting(Delivery::count).containsOnly(2);
		second.acknowledge(again);
	}

	@Test
	void aJobThatIsNotAcknowledgedStaysLocked() throws Exception {
		publish(this.publisher, jobs(this.type, 0, 2));
		JobConsumer slow = consumer();
		List<Delivery> running = poll(slow, 2);
		JobConsumer other = consumer();
		long end = System.nanoTime() + LOCK.multipliedBy(2).toNanos();
		while (System.nanoTime() < end) {
			assertThat(slow.poll(5, Duration.ofMillis(100))).isEmpty();
			assertThat(other.poll(5, Duration.ofMillis(100))).isEmpty();
			assertThat(running).noneMatch(slow::isRevoked);
		}
		List<Delivery> refused = new CopyOnWriteArrayList<>();
		slow.onAcknowledgeFailure(refused::addAll);
		slow.acknowledge(running);
		publish(this.publisher, jobs(this.type, 2, 1));
		await().until(() -> {
			List<Delivery> next = new ArrayList<>(slow.poll(5, Duration.ofMillis(100)));
			slow.acknowledge(next);
			List<Delivery> others = other.poll(5, Duration.ofMillis(100));
			other.acknowledge(others);
			next.addAll(others);
			return ids(next).equals(Set.of(2L));
		});
		assertThat(refused).isEmpty();
	}

}
