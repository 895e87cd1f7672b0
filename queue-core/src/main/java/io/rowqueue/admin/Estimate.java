package io.rowqueue.admin;

import java.time.Duration;

import io.rowqueue.engine.support.Times;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * The estimated time until something happens, as a range, or the reason why there is no
 * estimate. It is computed from what has happened lately, and is no promise: jobs that
 * arrive later can be claimed first.
 *
 * @param earliest the beginning of the range, or {@code null} if there is no estimate
 * @param latest the end of the range, or {@code null} if it is not known
 * @param reason what the estimate is based on, or why there is none
 * @since 0.1.0
 */
public record Estimate(@Nullable Duration earliest, @Nullable Duration latest, String reason) {

	/**
	 * Checks the range.
	 * @throws IllegalArgumentException if the range ends before it begins
	 */
	public Estimate {
		Assert.isTrue(latest == null || (earliest != null && earliest.compareTo(latest) <= 0),
				() -> "latest must not be before earliest");
	}

	/**
	 * Creates an estimate.
	 * @param earliest the beginning of the range
	 * @param latest the end of the range, or {@code null} if it is not known
	 * @param reason what the estimate is based on
	 * @return the estimate
	 */
	public static Estimate of(Duration earliest, @Nullable Duration latest, String reason) {
		return new Estimate(earliest, latest, reason);
	}

	/**
	 * Creates an answer without an estimate.
	 * @param reason why there is none
	 * @return the answer
	 */
	public static Estimate none(String reason) {
		return new Estimate(null, null, reason);
	}

	/**
	 * Estimates when both of two things have happened that do not depend on each other.
	 * @param other the estimate of the other one
	 * @return the later estimate, or one that has no range
	 */
	public Estimate later(Estimate other) {
		if (this.earliest == null || other.earliest == null) {
			return (this.earliest == null) ? this : other;
		}
		Estimate later = (this.earliest.compareTo(other.earliest) >= 0) ? this : other;
		Duration last = (this.latest == null || other.latest == null) ? null : Times.longer(this.latest, other.latest);
		return new Estimate(later.earliest, last, later.reason);
	}

	/**
	 * Returns the estimate in words, such as {@code 20.0 s to 3 min} or
	 * {@code no estimate: the queue is paused}.
	 */
	public String text() {
		if (this.earliest == null) {
			return "no estimate: " + this.reason;
		}
		if (this.latest == null) {
			return Times.readable(this.earliest) + " or longer";
		}
		String from = Times.readable(this.earliest);
		String to = Times.readable(this.latest);
		return from.equals(to) ? from : from + " to " + to;
	}

}
