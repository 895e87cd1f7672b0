package io.pgqueue.maintenance;

import java.time.Duration;

import org.springframework.util.Assert;

/**
 * How long jobs are kept once they are over.
 *
 * @param finished jobs that succeeded or were cancelled; they go by whole days of UTC;
 * zero: they are not kept at all
 * @param failed jobs that failed for good, and the records of failed attempts
 */
public record Retention(Duration finished, Duration failed) {

	/** A week, and a month for failed ones. */
	public static final Retention DEFAULT = new Retention(Duration.ofDays(7), Duration.ofDays(30));

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException naming the value that is wrong and what is allowed
	 */
	public Retention {
		Assert.isTrue(!finished.isNegative(), () -> "finished must not be negative: " + finished);
		Assert.isTrue(failed.toHours() >= 1, () -> "failed must be an hour or longer, not " + failed);
	}

	/** Whether finished jobs are kept at all. */
	public boolean keepsFinished() {
		return !this.finished.isZero();
	}

	/** After that long nothing of a job is kept. */
	Duration longest() {
		return (this.finished.compareTo(this.failed) > 0) ? this.finished : this.failed;
	}

}
