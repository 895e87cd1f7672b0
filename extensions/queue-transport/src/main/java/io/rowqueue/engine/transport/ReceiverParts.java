package io.rowqueue.engine.transport;

import java.util.function.Supplier;

import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.TypeOptions;
import io.rowqueue.engine.database.PostgresTime;
import io.rowqueue.engine.finish.Finisher;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.engine.transport.AvailabilityStore.Availability;
import io.rowqueue.transport.JobMessage;
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
		RedeliveryLookup lookUp, Supplier<@Nullable Availability> availability) {

	/** The job of a first delivery, as if it had been claimed now. */
	ActiveJob job(CarriedJob carried, Availability available) {
		JobMessage message = carried.message();
		long created = message.createdAt() + PostgresTime.EARLIEST;
		ClaimedJob job = new ClaimedJob(new Lease(message.id(), carried.deliveryCount()), message.type(),
				message.queue(), 0, 1, message.maxAttempts(), created, created, created, available.time(), false,
				message.payload(), false, message.headers(), null, 0);
		return new ActiveJob(job, this.options.of(message.type()), 0, carried);
	}

}
