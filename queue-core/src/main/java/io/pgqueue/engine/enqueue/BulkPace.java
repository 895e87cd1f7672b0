package io.pgqueue.engine.enqueue;

import java.time.Duration;
import java.util.function.Consumer;

import io.pgqueue.engine.support.Times;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slows bulk enqueues down while the database cannot remove dead rows, since all
 * statements become slower if jobs are stored faster than dead rows can be removed.
 * Single jobs and small batches are never delayed.
 */
public final class BulkPace {

	/** The maximum pause for a thousand jobs. */
	public static final Duration MAX_PAUSE = Duration.ofSeconds(10);

	/** A statement with fewer jobs is not delayed. */
	static final int MIN_DELAYED_JOBS = 100;

	/**
	 * The maximum pause of one call, which may be in a transaction of the application.
	 */
	static final Duration MAX_PAUSE_PER_CALL = Duration.ofMinutes(1);

	private static final Logger logger = LoggerFactory.getLogger(BulkPace.class);

	/** A pace without pauses. */
	public static final BulkPace FULL = new BulkPace(Duration.ZERO);

	private final Duration pause;

	private final Consumer<Duration> sleep;

	private volatile boolean slow;

	/**
	 * Creates the pace, which has no pauses until {@link #slowDown} is called.
	 * @param pause how long a call waits for each thousand jobs after that
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
	 * Delays bulk enqueues from now on.
	 * @param why the reason, which is logged once
	 */
	public void slowDown(String why) {
		if (!this.slow && !this.pause.isZero()) {
			this.slow = true;
			logger.warn("Bulk enqueues wait for {} ms before each 1,000 jobs: {}", this.pause.toMillis(), why);
		}
	}

	/** Ends the delays. */
	public void speedUp() {
		if (this.slow) {
			this.slow = false;
			logger.info("Bulk enqueues are as fast as before: dead rows can be removed again");
		}
	}

	/**
	 * Waits before jobs are stored, if bulk enqueues are delayed.
	 * @param jobs how many jobs are stored next
	 * @param stored how many jobs the same call has stored already
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

	/** Ends at once if the thread is interrupted, and keeps its interrupt status. */
	private static void sleep(Duration duration) {
		try {
			Thread.sleep(Math.max(1, duration.toMillis()));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
