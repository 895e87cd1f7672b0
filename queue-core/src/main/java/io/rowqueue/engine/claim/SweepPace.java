package io.rowqueue.engine.claim;

import java.time.Duration;

import io.rowqueue.engine.support.Pace;
import io.rowqueue.engine.support.Times;

/**
 * How often the lanes are swept: at least once a second, sooner for a pool that needs a
 * sweep, and less often the longer a sweep takes. Used by one thread.
 */
final class SweepPace {

	private static final Duration MAX_PAUSE = Duration.ofSeconds(1);

	private static final Duration MIN_PAUSE = Duration.ofMillis(50);

	/**
	 * However slow sweeps have become: a worker learns of limits by them, and a limited
	 * claim counts what was claimed without the limit until a minute after it was set.
	 */
	private static final Duration MAX_REST = Duration.ofSeconds(30);

	/** A sweep that takes longer is executed beside the claims and not between them. */
	private static final Duration SLOW_SWEEP = Duration.ofMillis(5);

	private int sweeps;

	private long sweptAt;

	private long sweepNanos;

	private long previousSweepNanos;

	/** A sweep has ended. */
	void swept(long nanos) {
		this.sweptAt = System.nanoTime();
		// one slow sweep is no trend, and the first one of a process is often slow
		this.sweepNanos = Math.min(this.previousSweepNanos, nanos);
		this.previousSweepNanos = nanos;
		this.sweeps++;
	}

	/** How often the lanes have been swept. */
	int sweeps() {
		return this.sweeps;
	}

	/** Whether a sweep is due even if every claim is full. */
	boolean isDue() {
		return this.sweeps == 0 || nanosUntil(MAX_PAUSE) <= 0;
	}

	/** The time until a pool that needs a sweep may have one. */
	Duration untilAllowed() {
		return (this.sweeps > 0) ? Duration.ofNanos(Math.max(0, nanosUntil(MIN_PAUSE))) : Duration.ZERO;
	}

	/** Whether sweeps have become slow, as they do while dead rows cannot be removed. */
	boolean isSlow() {
		return this.sweepNanos > SLOW_SWEEP.toNanos();
	}

	private long nanosUntil(Duration pause) {
		Duration rest = Times.longer(Pace.restAfter(Duration.ofNanos(this.sweepNanos)), pause);
		return this.sweptAt + Math.min(rest.toNanos(), MAX_REST.toNanos()) - System.nanoTime();
	}

}
