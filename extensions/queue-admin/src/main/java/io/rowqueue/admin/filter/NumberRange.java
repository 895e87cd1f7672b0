package io.rowqueue.admin.filter;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A range of numbers.
 *
 * @param min the minimum, or {@code null} for none
 * @param max the maximum, or {@code null} for none
 * @since 0.1.0
 */
public record NumberRange(@Nullable Integer min, @Nullable Integer max) {

	/** A range that contains all numbers. */
	public static final NumberRange ANY = new NumberRange(null, null);

	private static final Pattern TEXT = Pattern.compile("(>=|<=|>|<)?(-?\\d{1,5})|(-?\\d{1,5})\\.\\.(-?\\d{1,5})");

	/** Checks that the minimum does not exceed the maximum. */
	public NumberRange {
		if (min != null && max != null && min > max) {
			throw new IllegalArgumentException(
					"the minimum of a range must not exceed its maximum, as " + min + " exceeds " + max);
		}
	}

	/** Returns a range of one number. */
	public static NumberRange of(int number) {
		return new NumberRange(number, number);
	}

	/** Returns a range with a minimum. */
	public static NumberRange atLeast(int min) {
		return new NumberRange(min, null);
	}

	/** Returns a range with a maximum. */
	public static NumberRange atMost(int max) {
		return new NumberRange(null, max);
	}

	/**
	 * Reads a range.
	 * @param name what the numbers are, for the message of the exception
	 * @param text such as {@code 5}, {@code >=5}, {@code >5}, {@code <=5}, {@code <5} or
	 * {@code 1..5}
	 * @return the range
	 * @throws IllegalArgumentException if the text is no range
	 */
	public static NumberRange parse(String name, String text) {
		Matcher matcher = TEXT.matcher(text);
		if (!matcher.matches()) {
			throw new IllegalArgumentException(name + " must be a number, such as 5, >=5, <=5 or 1..5");
		}
		if (matcher.group(2) == null) {
			return new NumberRange(Integer.valueOf(matcher.group(3)), Integer.valueOf(matcher.group(4)));
		}
		int number = Integer.parseInt(matcher.group(2));
		return switch ((matcher.group(1) != null) ? matcher.group(1) : "") {
			case ">=" -> atLeast(number);
			case ">" -> atLeast(number + 1);
			case "<=" -> atMost(number);
			case "<" -> atMost(number - 1);
			default -> of(number);
		};
	}

	/** Returns the range as {@link #parse} reads it; empty for {@link #ANY}. */
	public String text() {
		if (this.min == null || this.max == null) {
			return (this.min != null) ? ">=" + this.min : ((this.max != null) ? "<=" + this.max : "");
		}
		return this.min.equals(this.max) ? this.min.toString() : this.min + ".." + this.max;
	}

}
