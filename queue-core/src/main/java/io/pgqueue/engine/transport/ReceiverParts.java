package io.pgqueue.engine.transport;

import java.util.function.Supplier;

import io.pgqueue.engine.attempt.ActiveJob;
import io.pgqueue.engine.attempt.CarriedJob;
import io.pgqueue.engine.attempt.TypeOptions;
import io.pgqueue.engine.database.PostgresTime;
import io.pgqueue.engine.finish.Finisher;
import io.pgqueue.engine.lease.ClaimedJob;
import io.pgqueue.engine.lease.Lease;
import io.pgqueue.engine.slot.Pools;
import io.pgqueue.engine.transport.AvailabilityStore.Availability;
import io.pgqueue.transport.JobMessage;
import org.jspecify.annotations.Nullable;

/**
 * What the receivers of a worker share.
 *
 * @param pools run the jobs
 * @param options how the jobs of each type are run
 * @param finisher takes the outcomes of jobs
 * @param parking parks jobs
 * @param foreign takes records that the queue has not published
 * @param lookUp finds deliveries that are late
 * @param availability what is not run now; {@code null}: not known yet
 */
record ReceiverParts(Pools pools, TypeOptions options, Finisher finisher, JobParking parking, ForeignRecords foreign,
		LookUp lookUp, Supplier<@Nullable Availability> availability) {

	/** The job of a first delivery, as if it had been claimed now. */
	ActiveJob job(CarriedJob carried, Availability available) {
		JobMessage message = carried.message();
		long created = message.createdAt() + PostgresTime.EARLIEST;
		ClaimedJob job = new ClaimedJob(new Lease(message.id(), carried.deliveryCount()), message.type(),
				message.queue(), 0, 1, message.maxAttempts(), created, created, created, available.time(), false,
				message.payload(), false, message.headers());
		return new ActiveJob(job, this.options.of(message.type()), 0, carried);
	}

}
