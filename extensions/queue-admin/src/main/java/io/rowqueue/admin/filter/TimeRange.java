package io.rowqueue.admin.filter;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A range of time.
 *
 * @param from the beginning, inclusive, or {@code null} for an open beginning
 * @param until the end, exclusive, or {@code null} for an open end
 * @since 0.1.0
 */
public record TimeRange(@Nullable Instant from, @Nullable Instant until) {

	/** A range that contains all times. */
	public static final TimeRange ALWAYS = new TimeRange(null, null);

	/** Checks that it does not end before it begins. */
	public TimeRange {
		if (from != null && until != null && !from.isBefore(until)) {
			throw new IllegalArgumentException(
					"a range of time must begin before it ends, not at " + from + " and end at " + until);
		}
	}

	/**
	 * Returns whether the range excludes any time.
	 * @return false for {@link #ALWAYS}
	 */
	public boolean isBounded() {
		return this.from != null || this.until != null;
	}

}
