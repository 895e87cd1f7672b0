package io.pgqueue.support;

import java.time.Duration;

/** Tells when something is due again. Used by one thread. */
public final class Every {

	private final long nanos;

	private long last = System.nanoTime();

	/**
	 * Begins to count now.
	 * @param interval from one time to the next
	 */
	public Every(Duration interval) {
		this.nanos = interval.toNanos();
	}

	/** Returns true if the interval has passed, and begins the next one. */
	public boolean isDue() {
		if (!remaining().isZero()) {
			return false;
		}
		this.last = System.nanoTime();
		return true;
	}

	/** The time until it is due; zero if it is. */
	public Duration remaining() {
		return Duration.ofNanos(Math.max(0, this.last + this.nanos - System.nanoTime()));
	}

}
