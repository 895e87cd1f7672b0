package io.rowqueue.engine.transport;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

import io.rowqueue.HandlerOptions;
import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.AttemptOutcome;
import io.rowqueue.engine.attempt.AttemptOutcome.Released;
import io.rowqueue.engine.attempt.AttemptOutcome.Succeeded;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.listen.JobListener;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobConsumer;
import io.rowqueue.transport.JobMessage;
import io.rowqueue.transport.TransportSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

class JobParkingTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final TestConsumer consumer = new TestConsumer();

	private JobParking parking(boolean keepHistory) {
		return new JobParking(
				new ParkStore(database.queueDatabase()), database.worker(), new TransportSettings(true, false,
						Duration.ofDays(1), DataSize.ofKilobytes(256), keepHistory, Duration.ZERO, 1000),
				(arrivals) -> {
				}, JobListener.NONE, StoreListener.NONE);
	}

	private ActiveJob deliver(JobParking parking) {
		JobMessage message = JobMessage.of(42, "type", "default", 0);
		ClaimedJob claimed = new ClaimedJob(new Lease(42, 1), "type", "default", 0, 1, null, 0, 0, 0, 0, false, null,
				false, null, null, 0);
		ActiveJob job = new ActiveJob(claimed, HandlerOptions.NONE.maxAttempts(3), 0,
				new CarriedJob(this.consumer, Delivery.of(message, "origin", 1, "handle"), parking));
		parking.held().add(job);
		return job;
	}

	/** The batch is written again if the statement after it has failed. */
	@Test
	void aSuccessThatIsInTheHistoryIsNotWrittenAgain() {
		JobParking parking = parking(true);
		List<AttemptOutcome> batch = List.of(new Succeeded(deliver(parking), null));
		assertThat(parking.lease(batch)).isEmpty();
		assertThat(parking.lease(batch)).isEmpty();
		assertThat(this.consumer.acknowledged).hasSize(1);
	}

	/** It may be this worker that has it again, under the same lease. */
	@Test
	void aJobThatWasReleasedIsNotReleasedAgain() {
		JobParking parking = parking(false);
		List<AttemptOutcome> batch = List.of(new Released(deliver(parking)));
		assertThat(parking.lease(batch)).isEmpty();
		parking.park(deliver(parking));
		assertThat(parking.lease(batch)).isEmpty();
		assertThat(this.consumer.released).hasSize(1);
	}

	private static final class TestConsumer implements JobConsumer {

		private final List<Delivery> acknowledged = new ArrayList<>();

		private final List<Delivery> released = new ArrayList<>();

		@Override
		public List<Delivery> poll(int max, Duration timeout) {
			return List.of();
		}

		@Override
		public void wakeUp() {
		}

		@Override
		public void acknowledge(Collection<Delivery> deliveries) {
			this.acknowledged.addAll(deliveries);
		}

		@Override
		public void release(Collection<Delivery> deliveries) {
			this.released.addAll(deliveries);
		}

		@Override
		public void renew(Collection<Delivery> deliveries) {
		}

		@Override
		public boolean isRevoked(Delivery delivery) {
			return false;
		}

		@Override
		public void onAcknowledgeFailure(Consumer<Collection<Delivery>> listener) {
		}

		@Override
		public void close() {
		}

	}

}
