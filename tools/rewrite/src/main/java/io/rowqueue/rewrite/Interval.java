package io.rowqueue.rewrite;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;

/** Reads the intervals of {@code @Scheduled}. */
final class Interval {

	private static final Pattern NUMBER = Pattern.compile("\\d+");

	private static final Pattern WITH_UNIT = Pattern.compile("(\\d+)(ns|us|ms|s|m|h|d)", Pattern.CASE_INSENSITIVE);

	private static final Map<String, ChronoUnit> UNITS = Map.of("ns", ChronoUnit.NANOS, "us", ChronoUnit.MICROS, "ms",
			ChronoUnit.MILLIS, "s", ChronoUnit.SECONDS, "m", ChronoUnit.MINUTES, "h", ChronoUnit.HOURS, "d",
			ChronoUnit.DAYS);

	private Interval() {
	}

	/**
	 * Returns the interval in the notation of {@code @RecurringJob}.
	 * @param value a number or a text
	 * @param unit the unit of numbers, or {@code null} for the default
	 */
	static String of(Expression value, @Nullable Expression unit) throws NotTranslatableException {
		TimeUnit timeUnit = (unit != null) ? unit(unit) : TimeUnit.MILLISECONDS;
		@Nullable String text = Annotations.text(value);
		if (text == null) {
			return readable(Duration.of(number(value), timeUnit.toChronoUnit()));
		}
		if (NUMBER.matcher(text).matches()) {
			return readable(Duration.of(Long.parseLong(text), timeUnit.toChronoUnit()));
		}
		@Nullable Duration interval = duration(text);
		if (interval != null) {
			return longEnough(interval, text);
		}
		throw new NotTranslatableException("its interval is a property: write every = \"" + text
				+ "\" and give the value a unit," + " since @RecurringJob reads a number as seconds");
	}

	private static @Nullable Duration duration(String text) {
		Matcher simple = WITH_UNIT.matcher(text);
		if (simple.matches()) {
			ChronoUnit unit = Objects.requireNonNull(UNITS.get(simple.group(2).toLowerCase(Locale.ROOT)));
			return Duration.of(Long.parseLong(simple.group(1)), unit);
		}
		try {
			return Duration.parse(text);
		}
		catch (DateTimeParseException ex) {
			return null;
		}
	}

	private static String longEnough(Duration interval, String text) throws NotTranslatableException {
		if (interval.compareTo(Duration.ofSeconds(1)) < 0) {
			throw new NotTranslatableException("its interval is less than a second, the shortest of @RecurringJob");
		}
		return text;
	}

	private static TimeUnit unit(Expression unit) throws NotTranslatableException {
		String name = (unit instanceof J.FieldAccess access) ? access.getSimpleName() : unit.toString();
		try {
			return TimeUnit.valueOf(name);
		}
		catch (IllegalArgumentException ex) {
			throw new NotTranslatableException("its time unit is not a constant of TimeUnit");
		}
	}

	/** A literal, or a product such as {@code 5 * 60 * 1000}. */
	private static long number(Expression expression) throws NotTranslatableException {
		if (expression instanceof J.Literal literal && literal.getValue() instanceof Number number) {
			return number.longValue();
		}
		if (expression instanceof J.Binary binary && binary.getOperator() == J.Binary.Type.Multiplication) {
			return Math.multiplyExact(number(binary.getLeft()), number(binary.getRight()));
		}
		throw new NotTranslatableException("its interval is not a number that can be read here");
	}

	private static String readable(Duration interval) throws NotTranslatableException {
		return longEnough(interval, written(interval));
	}

	private static String written(Duration interval) {
		long millis = interval.toMillis();
		if (millis % 1000 != 0) {
			return millis + "ms";
		}
		long seconds = millis / 1000;
		if (seconds > 0 && seconds % 86_400 == 0) {
			return seconds / 86_400 + "d";
		}
		if (seconds > 0 && seconds % 3600 == 0) {
			return seconds / 3600 + "h";
		}
		return (seconds > 0 && seconds % 60 == 0) ? seconds / 60 + "m" : seconds + "s";
	}

}
