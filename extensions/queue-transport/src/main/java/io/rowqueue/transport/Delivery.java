package io.rowqueue.transport;

import java.util.Objects;

/** One delivery of a message to this process. */
public final class Delivery {

	private final JobMessage message;

	private final String origin;

	private final int count;

	private final long exclusiveUntil;

	private final Object handle;

	private Delivery(JobMessage message, String origin, int count, long exclusiveUntil, Object handle) {
		this.message = Objects.requireNonNull(message, "message");
		this.origin = Objects.requireNonNull(origin, "origin");
		this.count = count;
		this.exclusiveUntil = exclusiveUntil;
		this.handle = Objects.requireNonNull(handle, "handle");
	}

	/**
	 * Creates a delivery that no other consumer gets unless {@link JobConsumer#isRevoked}
	 * says it.
	 * @param message the job
	 * @param origin where the broker has the message, for people: the same text each time
	 * that it is delivered, and of no other message; at most 500 characters
	 * @param count 1 for the first delivery as far as the broker remembers; more if
	 * another consumer may have started the job
	 * @param handle what the consumer needs to acknowledge the delivery
	 */
	public static Delivery of(JobMessage message, String origin, int count, Object handle) {
		return new Delivery(message, origin, count, Long.MAX_VALUE, handle);
	}

	/**
	 * Returns a copy that another consumer can get after some time.
	 * @param nanoTime the {@link System#nanoTime()} until which no other consumer can get
	 * the message
	 */
	public Delivery exclusiveUntil(long nanoTime) {
		return new Delivery(this.message, this.origin, this.count, nanoTime, this.handle);
	}

	/** Returns the job. */
	public JobMessage message() {
		return this.message;
	}

	/**
	 * Returns where the broker has the message: the same text each time that it is
	 * delivered, and of no other message.
	 */
	public String origin() {
		return this.origin;
	}

	/**
	 * Returns 1 for the first delivery as far as the broker remembers; more if another
	 * consumer may have started the job.
	 */
	public int count() {
		return this.count;
	}

	/**
	 * Returns the {@link System#nanoTime()} until which no other consumer can get the
	 * message; {@link Long#MAX_VALUE} if only {@link JobConsumer#isRevoked} says it.
	 */
	public long exclusiveUntil() {
		return this.exclusiveUntil;
	}

	/** Returns what the consumer needs to acknowledge the delivery. */
	public Object handle() {
		return this.handle;
	}

	@Override
	public String toString() {
		return "delivery " + this.count + " of " + this.message;
	}

}
