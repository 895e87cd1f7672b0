package io.pgqueue.engine.enqueue;

import java.time.Duration;
import java.util.function.Consumer;

import io.pgqueue.engine.support.Times;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slows bulk enqueues down while the database cannot clean up behind the jobs: what is
 * stored faster than dead rows can be removed makes everything slower. Single jobs and
 * small batches are never held up.
 */
public final class BulkPace {

	/** The longest pause for a thousand jobs. */
	public static final Duration MAX_PAUSE = Duration.ofSeconds(10);

	/** So many jobs at once are many. */
	static final int MIN_DELAYED_JOBS = 100;

	/** So long at most one call is held up: it may be in somebody's transaction. */
	static final Duration MAX_PAUSE_PER_CALL = Duration.ofMinutes(1);

	private static final Logger logger = LoggerFactory.getLogger(BulkPace.class);

	/** Nothing is ever held up. */
	public static final BulkPace FULL = new BulkPace(Duration.ZERO);

	private final Duration pause;

	private final Consumer<Duration> sleep;

	private volatile boolean slow;

	/**
	 * Creates the pace, which is full at first.
	 * @param pause how long a call waits for each thousand jobs when it is slow
	 * @throws IllegalArgumentException if the pause is negative or longer than
	 * {@link #MAX_PAUSE}
	 */
	public BulkPace(Duration pause) {
		this(pause, BulkPace::sleep);
	}

	BulkPace(Duration pause, Consumer<Duration> sleep) {
		if (pause.isNegative() || pause.compareTo(MAX_PAUSE) > 0) {
			throw new IllegalArgumentException(
					"pause must be from 0 to " + MAX_PAUSE.toSeconds() + "s, not " + pause.toMillis() + "ms");
		}
		this.pause = pause;
		this.sleep = sleep;
	}

	/**
	 * Bulk enqueues are slow from now on.
	 * @param why for the log, which is told once
	 */
	public void slowDown(String why) {
		if (!this.slow && !this.pause.isZero()) {
			this.slow = true;
			logger.warn("Bulk enqueues wait for {} ms before each 1,000 jobs: {}", this.pause.toMillis(), why);
		}
	}

	/** Bulk enqueues go on as fast as they can. */
	public void speedUp() {
		if (this.slow) {
			this.slow = false;
			logger.info("Bulk enqueues are as fast as before: dead rows can be removed again");
		}
	}

	/**
	 * Waits if it has to, before jobs are stored.
	 * @param jobs how many are stored next
	 * @param stored how many the same call has stored
	 */
	void before(int jobs, long stored) {
		if (!this.slow || jobs < MIN_DELAYED_JOBS) {
			return;
		}
		Duration left = MAX_PAUSE_PER_CALL.minus(pauseFor(stored));
		Duration next = pauseFor(jobs);
		Duration shorter = Times.shorter(next, left);
		if (!shorter.isNegative() && !shorter.isZero()) {
			this.sleep.accept(shorter);
		}
	}

	private Duration pauseFor(long jobs) {
		return this.pause.multipliedBy(jobs).dividedBy(1000);
	}

	/** Whoever is interrupted has no time to wait. */
	private static void sleep(Duration duration) {
		try {
			Thread.sleep(Math.max(1, duration.toMillis()));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
