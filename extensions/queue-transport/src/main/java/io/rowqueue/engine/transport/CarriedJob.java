package io.rowqueue.engine.transport;

import java.util.ArrayList;
import java.util.List;

import io.rowqueue.StopReason;
import io.rowqueue.engine.attempt.ActiveJob;
import io.rowqueue.engine.attempt.Carrier;
import io.rowqueue.transport.Delivery;
import io.rowqueue.transport.JobConsumer;
import io.rowqueue.transport.JobMessage;
import org.jspecify.annotations.Nullable;

/**
 * A job that a broker delivered to this worker, and who answers for it: the broker, until
 * its delivery is acknowledged; or the database, from the moment at which the job is
 * parked. A job that another process has parked, or that has finished there, is lost.
 */
public final class CarriedJob implements Carrier {

	private final JobConsumer consumer;

	private final Delivery delivery;

	private final Parking parking;

	private final long deliveredAt = System.nanoTime();

	/** Further deliveries of the same job, to be acknowledged together with the first. */
	private List<Delivery> duplicates = List.of();

	private volatile State state = State.DELIVERED;

	/**
	 * Creates a job that was delivered now.
	 * @param consumer the consumer that received it
	 * @param parking parks it
	 */
	public CarriedJob(JobConsumer consumer, Delivery delivery, Parking parking) {
		this.consumer = consumer;
		this.delivery = delivery;
		this.parking = parking;
	}

	/**
	 * Returns how a broker delivered a job, or {@code null} if the job was claimed.
	 */
	public static @Nullable CarriedJob of(ActiveJob job) {
		return (CarriedJob) job.carrier();
	}

	public JobMessage message() {
		return this.delivery.message();
	}

	/** The number of its delivery, which is also that of its first lease. */
	public int deliveryCount() {
		return this.delivery.count();
	}

	public long nanosSinceDelivery() {
		return System.nanoTime() - this.deliveredAt;
	}

	/** Whether no other process can have got the job from the broker. */
	@Override
	public boolean isExclusive() {
		return this.delivery.exclusiveUntil() - System.nanoTime() > 0 && !this.consumer.isRevoked(this.delivery);
	}

	/** Whether this worker has its lease in the database. */
	@Override
	public boolean isParked() {
		return this.state == State.PARKED;
	}

	/** Whether another process has parked it, or it has finished there. */
	@Override
	public boolean isLost() {
		return this.state == State.LOST;
	}

	/** Whether it has succeeded or was released, so that nothing is to be written. */
	public boolean isSettled() {
		State current = this.state;
		return current == State.OVER || current == State.RELEASED;
	}

	/** Whether the database is to take it over, and has not done so yet. */
	public boolean isParking() {
		return this.state == State.PARKING;
	}

	/** The job was delivered again. Returns what this delivery is. */
	public synchronized Redelivery deliveredAgain(Delivery duplicate) {
		return switch (this.state) {
			case DELIVERED, PARKING -> {
				List<Delivery> all = new ArrayList<>(this.duplicates);
				all.add(duplicate);
				this.duplicates = all;
				yield Redelivery.DUPLICATE;
			}
			case RELEASED -> Redelivery.NEW;
			case PARKED, OVER, LOST -> Redelivery.LATE;
		};
	}

	/**
	 * The job has succeeded. Returns whether nothing is to be written: otherwise the
	 * database has taken it over, or may have.
	 */
	public synchronized boolean succeed() {
		if (this.state != State.DELIVERED) {
			return false;
		}
		this.state = State.OVER;
		return true;
	}

	/**
	 * The job was not started and will not be by this worker. Returns whether nothing is
	 * to be written: otherwise the database has taken it over, or may have.
	 */
	public boolean release() {
		if (!beginRelease()) {
			return false;
		}
		// it may be delivered to this worker again before the call returns
		this.consumer.release(deliveries());
		return true;
	}

	private synchronized boolean beginRelease() {
		if (this.state != State.DELIVERED) {
			return false;
		}
		this.state = State.RELEASED;
		return true;
	}

	/** Its parking begins. Returns false if it has been parked, has ended, or is lost. */
	public synchronized boolean beginParking() {
		if (this.state != State.DELIVERED && this.state != State.PARKING) {
			return false;
		}
		this.state = State.PARKING;
		return true;
	}

	/** This worker has its lease in the database. */
	public synchronized void parked() {
		this.state = State.PARKED;
	}

	/** It has succeeded, and the database has stored it in the history. */
	public synchronized void stored() {
		this.state = State.OVER;
	}

	/** Another process has parked it, or it has finished there. */
	public synchronized void lost() {
		this.state = State.LOST;
	}

	/** Parks the job of a handler that needs the database, in its thread. */
	@Override
	public void park(ActiveJob job) {
		this.parking.park(job);
		if (isLost()) {
			job.askToStop(StopReason.LEASE_LOST);
		}
	}

	/** All deliveries of the job. */
	public synchronized List<Delivery> deliveries() {
		List<Delivery> all = new ArrayList<>(this.duplicates);
		all.add(this.delivery);
		return all;
	}

	/** The broker must not deliver the job again. */
	public void acknowledge() {
		this.consumer.acknowledge(deliveries());
	}

	/** The broker should not deliver the job to others yet. */
	public void renew() {
		this.consumer.renew(deliveries());
	}

	/** Parks jobs. */
	@FunctionalInterface
	public interface Parking {

		/** Returns when the job is parked or known to be lost. */
		void park(ActiveJob job);

	}

	/** What a further delivery of a job is. */
	public enum Redelivery {

		/** It is acknowledged together with the first one. */
		DUPLICATE,

		/** The job needs no delivery any more: this one is to be acknowledged. */
		LATE,

		/** The job was released and has no other delivery: this one is to be taken. */
		NEW

	}

	private enum State {

		/** The broker answers for it. */
		DELIVERED,

		/** The database may answer for it. */
		PARKING,

		/** The database answers for it. */
		PARKED,

		/** It has succeeded. */
		OVER,

		/** It was not started, and the broker delivers it again. */
		RELEASED,

		/** Another process has it. */
		LOST

	}

}
