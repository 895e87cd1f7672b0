package io.rowqueue.engine.figures;

/**
 * What happened to jobs in a time.
 *
 * @param enqueued how many were enqueued by this library; statements that enqueue are not
 * counted
 * @param succeeded how many succeeded
 * @param retried how many attempts failed and are retried
 * @param failed how many have failed for good
 * @param cancelled how many were cancelled
 * @param snoozed how many attempts ended with a snooze
 * @param waits how long jobs were due before they started
 * @param runs how long attempts ran
 */
public record Counts(long enqueued, long succeeded, long retried, long failed, long cancelled, long snoozed,
		Histogram waits, Histogram runs) {

	/** Nothing happened. */
	public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, Histogram.EMPTY, Histogram.EMPTY);

	/** Returns the sums of both. */
	public Counts plus(Counts other) {
		return new Counts(this.enqueued + other.enqueued, this.succeeded + other.succeeded,
				this.retried + other.retried, this.failed + other.failed, this.cancelled + other.cancelled,
				this.snoozed + other.snoozed, this.waits.plus(other.waits), this.runs.plus(other.runs));
	}

	/** Returns how many jobs have finished. */
	public long ended() {
		return this.succeeded + this.failed + this.cancelled;
	}

	/** Returns how many attempts have ended. */
	public long attempts() {
		return ended() + this.retried + this.snoozed;
	}

	/** Returns how many attempts have failed. */
	public long failures() {
		return this.retried + this.failed;
	}

	boolean isEmpty() {
		return this.enqueued == 0 && attempts() == 0 && this.waits.isEmpty();
	}

}
