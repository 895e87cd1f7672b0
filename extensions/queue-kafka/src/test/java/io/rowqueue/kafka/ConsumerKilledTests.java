package io.rowqueue.kafka;

import java.util.List;

import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobConsumer;
import io.rowqueue.transport.JobPublisher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a process may have started when it was killed is not delivered as new. */
class ConsumerKilledTests {

	private static final int JOBS = 10;

	@Test
	void countsTheDeliveriesOfADeadProcess() throws Exception {
		countsTheDeliveriesOfADeadProcess(GroupType.CONSUMER);
	}

	@Tag("thorough")
	@Test
	void countsTheDeliveriesOfADeadProcessInAShareGroup() throws Exception {
		countsTheDeliveriesOfADeadProcess(GroupType.SHARE);
	}

	private void countsTheDeliveriesOfADeadProcess(GroupType groupType) throws Exception {
		String type = TestBroker.newType();
		try (KafkaTransport transport = TestBroker.transport(groupType, 1, type);
				JobPublisher publisher = transport.createPublisher()) {
			Polling.publish(publisher, Polling.jobs(type, 0, JOBS));
			try (ReceiverProcess receiver = ReceiverProcess.start(type, groupType, JOBS)) {
				receiver.awaitLine(ReceiverProcess.RECEIVED);
			}
			try (JobConsumer consumer = Polling.patiently(() -> transport.createConsumer(type))) {
				List<Delivery> again = Polling.settle(consumer, JOBS);
				assertThat(again).hasSize(JOBS).extracting(Delivery::count).containsOnly(2);
				Polling.publish(publisher, Polling.jobs(type, JOBS, 3_000));
				List<Delivery> later = Polling.settle(consumer, 3_000);
				assertThat(later.get(later.size() - 1).count()).isEqualTo(1);
			}
		}
	}

}
