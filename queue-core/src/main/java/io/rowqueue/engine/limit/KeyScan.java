package io.rowqueue.engine.limit;

import java.time.Duration;

import io.rowqueue.engine.support.Pace;
import org.jspecify.annotations.Nullable;

/**
 * Visits all keys in order, some of them in each run, and then rests, for longer if the
 * scan took long. Not thread-safe.
 */
final class KeyScan {

	private final Step step;

	private final int maxSteps;

	private final Pace next;

	/** The last visited key; empty if a new scan begins. */
	private String last = "";

	/** The total time of the runs of this scan. */
	private Duration took = Duration.ZERO;

	/**
	 * Creates a scan that begins with its first run.
	 * @param step visits some keys
	 * @param interval the minimum rest after a scan
	 * @param maxSteps the maximum number of steps in a run
	 */
	KeyScan(Step step, Duration interval, int maxSteps) {
		this.step = step;
		this.next = Pace.dueNow(interval);
		this.maxSteps = maxSteps;
	}

	/**
	 * Continues the scan, or begins a new one if it is due, with at least one step.
	 * @param end when to stop, in the unit of {@link System#nanoTime()}
	 */
	void run(long end) {
		if (this.last.isEmpty() && !this.next.isDue()) {
			return;
		}
		long begin = System.nanoTime();
		int steps = 0;
		do {
			@Nullable String key = this.step.take(this.last);
			this.last = (key != null) ? key : "";
		}
		while (!this.last.isEmpty() && ++steps < this.maxSteps && System.nanoTime() - end <= 0);
		this.took = this.took.plusNanos(System.nanoTime() - begin);
		if (this.last.isEmpty()) {
			this.next.rest(this.took);
			this.took = Duration.ZERO;
		}
	}

	/** Visits some keys. */
	@FunctionalInterface
	interface Step {

		/**
		 * Visits the keys after the given one.
		 * @return the last visited key, or {@code null} if there are no more
		 */
		@Nullable String take(String after);

	}

}
