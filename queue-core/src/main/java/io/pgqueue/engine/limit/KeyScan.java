package io.pgqueue.engine.limit;

import java.time.Duration;

import io.pgqueue.engine.support.Pace;
import org.jspecify.annotations.Nullable;

/**
 * Goes over all keys in order, some in each run. Then it rests, longer if it took long.
 * Used by one thread.
 */
final class KeyScan {

	private final Step step;

	private final int maxSteps;

	private final Pace next;

	/** The last key that it has looked at; empty: it begins anew. */
	private String last = "";

	/** How long the runs of this scan took together. */
	private Duration took = Duration.ZERO;

	/**
	 * Creates a scan that begins with its first run.
	 * @param step looks at some keys
	 * @param interval the shortest rest after a scan
	 * @param maxSteps after so many steps a run ends
	 */
	KeyScan(Step step, Duration interval, int maxSteps) {
		this.step = step;
		this.next = Pace.dueNow(interval);
		this.maxSteps = maxSteps;
	}

	/**
	 * Continues the scan, or begins a new one if it is time; at least one step.
	 * @param end when to end, as {@link System#nanoTime()}
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

	/** Looks at some keys. */
	@FunctionalInterface
	interface Step {

		/**
		 * Looks at the keys after one.
		 * @return the last that it has looked at; {@code null}: there are no more
		 */
		@Nullable String take(String after);

	}

}
