package io.rowqueue.engine.support;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * When something that is done again and again is due: after an interval, after a rest
 * that grows with the time it takes, or after a pause that grows with each failure. Used
 * by one thread.
 */
public final class Pace {

	/** What took a millisecond rests for twenty, however slow it has become. */
	private static final int REST_FACTOR = 20;

	private static final long FIRST_RETRY_MILLIS = 100;

	private static final long MAX_RETRY_MILLIS = 5000;

	private final Duration interval;

	private final LongSupplier nanoTime;

	private long dueAt;

	private long retryMillis = FIRST_RETRY_MILLIS;

	/**
	 * Creates a pace. It is due for the first time when the interval has passed.
	 * @param interval from one time to the next
	 */
	public Pace(Duration interval) {
		this(interval, System::nanoTime);
	}

	/**
	 * Creates a pace. It is due for the first time when the interval has passed.
	 * @param interval from one time to the next
	 * @param nanoTime the clock
	 */
	public Pace(Duration interval, LongSupplier nanoTime) {
		this.interval = interval;
		this.nanoTime = nanoTime;
		next();
	}

	/**
	 * Creates a pace that is due now.
	 * @param interval from one time to the next
	 */
	public static Pace dueNow(Duration interval) {
		return dueNow(interval, System::nanoTime);
	}

	/**
	 * Creates a pace that is due now.
	 * @param interval from one time to the next
	 * @param nanoTime the clock
	 */
	public static Pace dueNow(Duration interval, LongSupplier nanoTime) {
		Pace pace = new Pace(interval, nanoTime);
		pace.hurry();
		return pace;
	}

	/** Whether it is due. */
	public boolean isDue() {
		return this.dueAt - this.nanoTime.getAsLong() <= 0;
	}

	/** Whether it is due; if so, the next interval begins. */
	public boolean nextIfDue() {
		boolean due = isDue();
		if (due) {
			next();
		}
		return due;
	}

	/** The time until it is due; zero if it is. */
	public Duration remaining() {
		return Duration.ofNanos(Math.max(0, this.dueAt - this.nanoTime.getAsLong()));
	}

	/** It is due again when the interval has passed. */
	public void next() {
		next(this.interval);
	}

	/**
	 * It is due again after this pause, whatever the interval is.
	 * @param pause how long it is not due
	 */
	public void next(Duration pause) {
		this.retryMillis = FIRST_RETRY_MILLIS;
		dueIn(pause.toNanos());
	}

	/** It is due now. */
	public void hurry() {
		next(Duration.ZERO);
	}

	/**
	 * It is due again after a {@link #restAfter(Duration) rest}, and not before the
	 * interval has passed.
	 * @param taken how long it took this time
	 */
	public void rest(Duration taken) {
		next(Times.longer(restAfter(taken), this.interval));
	}

	/**
	 * How long to rest after something, so that it takes no more than a small part of the
	 * time.
	 * @param taken how long it took
	 */
	public static Duration restAfter(Duration taken) {
		return taken.multipliedBy(REST_FACTOR);
	}

	/**
	 * It has failed and is due for another try: after a tenth of a second at first, and
	 * after five seconds at most, each time after a random part of that, so that the
	 * workers of a cluster do not come back to a restarted server all at once.
	 */
	public void failed() {
		long pause = ThreadLocalRandom.current().nextLong(this.retryMillis / 2, this.retryMillis + 1);
		this.retryMillis = Math.min(MAX_RETRY_MILLIS, this.retryMillis * 2);
		dueIn(Duration.ofMillis(pause).toNanos());
	}

	private void dueIn(long nanos) {
		this.dueAt = this.nanoTime.getAsLong() + nanos;
	}

}
