package io.pgqueue.admin;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A range of time.
 *
 * @param from its beginning, inclusive; {@code null}: none
 * @param until its end, exclusive; {@code null}: none
 * @since 0.1.0
 */
public record TimeRange(@Nullable Instant from, @Nullable Instant until) {

	/** All times. */
	public static final TimeRange ALWAYS = new TimeRange(null, null);

	/** Checks that it does not end before it begins. */
	public TimeRange {
		if (from != null && until != null && !from.isBefore(until)) {
			throw new IllegalArgumentException(
					"a range of time must begin before it ends, not at " + from + " and end at " + until);
		}
	}

	/**
	 * Whether it excludes any time.
	 * @return false for {@link #ALWAYS}
	 */
	public boolean isBounded() {
		return this.from != null || this.until != null;
	}

}
