package io.rowqueue.schedule;

import java.time.Instant;

import io.rowqueue.engine.support.RequestChecks;
import org.springframework.util.Assert;

/**
 * The due times of a backfill.
 *
 * @param from the earliest due time
 * @param until the end: all due times are before
 * @param again {@code true}: also due times that had a job, unless that job has not
 * finished; {@code false}: only due times without a job
 * @since 0.1.0
 */
public record BackfillRange(Instant from, Instant until, boolean again) {

	/**
	 * Checks the times.
	 * @throws IllegalArgumentException if a time is not allowed
	 */
	public BackfillRange {
		RequestChecks.time("from", from);
		RequestChecks.time("until", until);
		Assert.isTrue(from.isBefore(until), () -> "until (" + until + ") must be after from (" + from + ")");
	}

	/**
	 * Selects due times that had no job: they were missed or skipped, or were before the
	 * schedule existed.
	 * @param from the earliest due time
	 * @param until the end: all due times are before
	 * @return the range
	 */
	public static BackfillRange missing(Instant from, Instant until) {
		return new BackfillRange(from, until, false);
	}

	/**
	 * Selects all due times, to compute them again. A due time whose job has not finished
	 * gets no other one.
	 * @param from the earliest due time
	 * @param until the end: all due times are before
	 * @return the range
	 */
	public static BackfillRange again(Instant from, Instant until) {
		return new BackfillRange(from, until, true);
	}

}
