package io.rowqueue.engine.support;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/** Times as people write them, and durations: compared, and as people read them. */
public final class Times {

	private static final int MAX_YEAR = 9999;

	private Times() {
	}

	/**
	 * Reads a time, which is required.
	 * @param what the name of the time, for the message
	 * @throws IllegalArgumentException if it is missing, not a time, has no offset, or is
	 * so far away that neither the database nor a calendar has it
	 */
	public static Instant parse(String what, @Nullable String text) {
		try {
			OffsetDateTime time = OffsetDateTime.parse((text != null) ? text : "");
			Assert.isTrue(time.getYear() >= 1 && time.getYear() <= MAX_YEAR,
					() -> what + " must be a time of the years 1 to " + MAX_YEAR);
			return time.toInstant();
		}
		catch (DateTimeException ex) {
			throw new IllegalArgumentException(what + " must be a time with an offset, such as 2026-12-01T00:00:00Z",
					ex);
		}
	}

	/** The shorter one of two. */
	public static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	/** The longer one of two. */
	public static Duration longer(Duration one, Duration other) {
		return (one.compareTo(other) > 0) ? one : other;
	}

	/** Seconds, minutes or hours, whichever says it. */
	public static String readable(Duration duration) {
		if (duration.compareTo(Duration.ofMinutes(2)) < 0) {
			return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
		}
		if (duration.compareTo(Duration.ofHours(2)) < 0) {
			return duration.toMinutes() + " min";
		}
		return duration.toHours() + " h";
	}

}
