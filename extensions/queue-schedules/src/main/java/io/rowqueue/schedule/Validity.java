package io.rowqueue.schedule;

import java.time.Instant;

import io.rowqueue.engine.support.RequestChecks;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * Restricts the due times of a schedule. Immutable: every method that sets a value
 * returns a changed copy.
 *
 * @param from the first possible due time, from which an interval is counted as well, or
 * {@code null}
 * @param until the end: all due times are before, or {@code null}
 * @param calendar the name of a {@link JobCalendar}, or {@code null}
 * @param excluded what happens to a due time on a day that the calendar excludes
 * @since 0.1.0
 */
public record Validity(@Nullable Instant from, @Nullable Instant until, @Nullable String calendar,
		ExcludedPolicy excluded) {

	/** No restriction. */
	public static final Validity ALWAYS = new Validity(null, null, null, ExcludedPolicy.SKIP);

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException if a value is not allowed
	 */
	public Validity {
		if (from != null) {
			RequestChecks.time("from", from);
		}
		if (until != null) {
			RequestChecks.time("until", until);
		}
		Assert.isTrue(from == null || until == null || from.isBefore(until),
				() -> "until (" + until + ") must be after from (" + from + ")");
		if (calendar != null) {
			RequestChecks.name("calendar", calendar);
		}
		RequestChecks.present("excluded", excluded);
	}

	/** Sets the first possible due time. */
	public Validity from(@Nullable Instant time) {
		return new Validity(time, this.until, this.calendar, this.excluded);
	}

	/** Sets the end. */
	public Validity until(@Nullable Instant time) {
		return new Validity(this.from, time, this.calendar, this.excluded);
	}

	/** Sets the calendar, and what happens to a due time on a day that it excludes. */
	public Validity calendar(@Nullable String name, ExcludedPolicy policy) {
		return new Validity(this.from, this.until, name, policy);
	}

}
