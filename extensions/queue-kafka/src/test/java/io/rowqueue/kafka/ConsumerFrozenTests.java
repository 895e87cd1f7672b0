package io.rowqueue.kafka;

import java.util.List;

import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobConsumer;
import io.rowqueue.transport.JobPublisher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A process that does not run for longer than its session starts nothing afterwards. */
@Tag("thorough")
class ConsumerFrozenTests {

	private static final int JOBS = 10;

	@ParameterizedTest
	@EnumSource(names = { "CONSUMER", "SHARE" })
	void aFrozenProcessStartsNothingThatAnotherOneHasReceived(GroupType groupType) throws Exception {
		String type = TestBroker.newType();
		try (KafkaTransport transport = TestBroker.transport(groupType, 1, type);
				JobPublisher publisher = transport.createPublisher()) {
			Polling.publish(publisher, Polling.jobs(type, 0, JOBS));
			try (ReceiverProcess frozen = ReceiverProcess.start(type, groupType, JOBS);
					JobConsumer other = Polling.patiently(() -> transport.createConsumer(type))) {
				frozen.awaitLine(ReceiverProcess.RECEIVED);
				frozen.signal("STOP");
				List<Delivery> again = Polling.settle(other, JOBS);
				assertThat(again).extracting(Delivery::count).containsOnly(2);
				frozen.signal("CONT");
				frozen.awaitLine(ReceiverProcess.REVOKED);
			}
		}
	}

}
