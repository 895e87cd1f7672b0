package io.pgqueue.engine.support;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Tells when something is due again. Used by one thread. */
public final class Every {

	private final long nanos;

	private final LongSupplier nanoTime;

	private long last;

	/**
	 * Begins to count now.
	 * @param interval from one time to the next
	 */
	public Every(Duration interval) {
		this(interval, System::nanoTime);
	}

	/**
	 * Begins to count now.
	 * @param interval from one time to the next
	 * @param nanoTime the clock
	 */
	public Every(Duration interval, LongSupplier nanoTime) {
		this.nanos = interval.toNanos();
		this.nanoTime = nanoTime;
		this.last = nanoTime.getAsLong();
	}

	/** Returns true if the interval has passed, and begins the next one. */
	public boolean isDue() {
		if (!remaining().isZero()) {
			return false;
		}
		this.last = this.nanoTime.getAsLong();
		return true;
	}

	/** The time until it is due; zero if it is. */
	public Duration remaining() {
		return Duration.ofNanos(Math.max(0, this.last + this.nanos - this.nanoTime.getAsLong()));
	}

}
