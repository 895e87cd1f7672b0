package io.rowqueue.engine.support;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/** What a request may contain; the messages name the value and say what is allowed. */
public final class RequestChecks {

	/** The maximum number of characters of a type or another name. */
	public static final int MAX_NAME_LENGTH = 200;

	/** The longest delay: a thousand years. */
	public static final Duration MAX_DELAY = Duration.ofDays(365_000);

	private RequestChecks() {
	}

	public static void name(String what, String name) {
		text(what, name, MAX_NAME_LENGTH);
		Assert.hasText(name, () -> what + " must not be blank");
		int control = controlCharacter(name);
		Assert.isTrue(control < 0,
				() -> ("%s must not contain control characters, line separators or characters"
						+ " that change the direction of text: \\u%04X at index %s")
					.formatted(what, (int) name.charAt(control), control));
	}

	/**
	 * The index of the first one, -1 if there is none; no stream, since each job pays.
	 */
	private static int controlCharacter(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (isControl(text.charAt(i))) {
				return i;
			}
		}
		return -1;
	}

	/**
	 * Whether a log, a terminal or a page would do something else with the character than
	 * to show it.
	 */
	private static boolean isControl(char character) {
		return Character.isISOControl(character) || character == '\u2028' || character == '\u2029'
				|| (character >= '\u202A' && character <= '\u202E') || (character >= '\u2066' && character <= '\u2069');
	}

	public static void text(String what, String text, int maxLength) {
		present(what, text);
		Assert.isTrue(text.length() <= maxLength,
				() -> "%s must have at most %s characters, not %s".formatted(what, maxLength, text.length()));
		Assert.isTrue(text.indexOf('\0') < 0, () -> what + " must not contain the character NUL, which PostgreSQL"
				+ " cannot store: " + text.replace("\0", "\\0"));
		int half = halfCharacter(text);
		Assert.isTrue(half < 0,
				() -> ("%s must not contain half a character (a surrogate without its other half),"
						+ " which PostgreSQL cannot store: \\u%04X at index %s; was the text cut inside an emoji?")
					.formatted(what, (int) text.charAt(half), half));
	}

	public static void smallint(String what, int from, int value) {
		Assert.isTrue(value >= from && value <= Short.MAX_VALUE,
				() -> "%s must be from %s to %s, not %s".formatted(what, from, Short.MAX_VALUE, value));
	}

	public static void time(String what, Instant time) {
		present(what, time);
		Assert.isTrue(time.isAfter(Instant.EPOCH) && time.isBefore(Instant.EPOCH.plus(MAX_DELAY)),
				() -> what + " must be between 1970 and the year 2969, not " + time);
	}

	public static void duration(String what, Duration duration) {
		present(what, duration);
		Assert.isTrue(!duration.isNegative() && duration.compareTo(MAX_DELAY) <= 0,
				() -> what + " must be from 0 to 365000 days, not " + duration);
	}

	public static void present(String what, @Nullable Object value) {
		Assert.notNull(value, () -> what + " must not be null");
	}

	/** The index of the first surrogate that stands alone, -1 if there is none. */
	private static int halfCharacter(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (Character.isSurrogate(text.charAt(i))) {
				if (i + 1 == text.length() || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
					return i;
				}
				i++;
			}
		}
		return -1;
	}

}
