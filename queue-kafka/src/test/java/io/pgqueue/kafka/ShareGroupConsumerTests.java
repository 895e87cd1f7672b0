package io.pgqueue.kafka;

import java.time.Duration;
import java.util.List;

import io.pgqueue.transport.Delivery;
import io.pgqueue.transport.JobConsumer;
import org.junit.jupiter.api.Test;

import static io.pgqueue.kafka.Polling.ids;
import static io.pgqueue.kafka.Polling.jobs;
import static io.pgqueue.kafka.Polling.poll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class ShareGroupConsumerTests extends JobConsumerContract {

	@Override
	GroupType groupType() {
		return GroupType.SHARE;
	}

	/** A member receives nothing while a record of its batch, which may be of one partition, is not settled. */
	@Override
	int partitions() {
		return 1;
	}

	@Test
	void releasedJobsComeAgainWithAHigherCount() throws Exception {
		this.publisher.publish(jobs(this.type, 0, 5));
		JobConsumer consumer = consumer();
		consumer.release(poll(consumer, 5));
		List<Delivery> again = poll(consumer, 5);
		assertThat(again).extracting(Delivery::count).containsOnly(2);
		assertThat(ids(again)).hasSize(5);
		consumer.acknowledge(again);
	}

	@Test
	void whatWasNotAcknowledgedComesToAnotherOneWithAHigherCount() throws Exception {
		this.publisher.publish(jobs(this.type, 0, 5));
		JobConsumer first = consumer();
		poll(first, 5);
		close(first);
		JobConsumer second = consumer();
		List<Delivery> again = poll(second, 5);
		assertThat(again).extracting(Delivery::count).containsOnly(2);
		second.acknowledge(again);
	}

}
