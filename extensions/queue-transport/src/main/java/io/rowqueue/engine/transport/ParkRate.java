package io.rowqueue.engine.transport;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Keeps a process from parking too many jobs: if all jobs of a type fail, they wait in
 * the broker and do not flood the database.
 */
final class ParkRate {

	private static final long SECOND = Duration.ofSeconds(1).toNanos();

	private final int perSecond;

	private final LongSupplier nanoTime;

	/** Until when the jobs that were parked so far are paid for. */
	private long paidUntil;

	ParkRate(int perSecond, LongSupplier nanoTime) {
		this.perSecond = perSecond;
		this.nanoTime = nanoTime;
		this.paidUntil = nanoTime.getAsLong();
	}

	/** Jobs were parked. */
	synchronized void add(int jobs) {
		long now = this.nanoTime.getAsLong();
		this.paidUntil = Math.max(this.paidUntil, now) + jobs * SECOND / this.perSecond;
	}

	/** Whether more jobs were parked than a second allows. */
	synchronized boolean isExceeded() {
		return this.paidUntil - this.nanoTime.getAsLong() > SECOND;
	}

}
