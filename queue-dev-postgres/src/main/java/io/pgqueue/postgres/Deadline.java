package io.pgqueue.postgres;

import java.time.Duration;

/**
 * A moment on this JVM's clock, which nobody sets.
 *
 * @param nanos the moment, as in {@link System#nanoTime()}
 */
record Deadline(long nanos) {

	static Deadline in(Duration duration) {
		return new Deadline(System.nanoTime() + duration.toNanos());
	}

	boolean isOver() {
		return System.nanoTime() - this.nanos >= 0;
	}

}
