package io.rowqueue.engine.support;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/** Times as people write them, and durations: compared, and as people read them. */
public final class Times {

	private static final int MAX_YEAR = 9999;

	private static final String[] UNITS = { "d", "h", "min", "s" };

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

	/**
	 * A duration in its two largest units, as the pages of the dashboard write it:
	 * {@code 320 ms}, {@code 4.2 s}, {@code 4 min 12 s}.
	 */
	public static String readable(Duration duration) {
		if (duration.isNegative()) {
			return "−" + readable(duration.negated());
		}
		if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
			return duration.toMillis() + " ms";
		}
		if (duration.compareTo(Duration.ofSeconds(10)) < 0) {
			long tenths = duration.toMillis() / 100;
			return tenths / 10 + ((tenths % 10 != 0) ? "." + tenths % 10 : "") + " s";
		}
		long[] parts = { duration.toDaysPart(), duration.toHoursPart(), duration.toMinutesPart(),
				duration.toSecondsPart() };
		int first = 0;
		while (parts[first] == 0) {
			first++;
		}
		String text = parts[first] + " " + UNITS[first];
		return (first + 1 < parts.length && parts[first + 1] != 0)
				? text + " " + parts[first + 1] + " " + UNITS[first + 1] : text;
	}

	/** A time of a sentence: nobody reads its fractions of a second. */
	public static String readable(Instant time) {
		return time.truncatedTo(ChronoUnit.SECONDS).toString();
	}

}
