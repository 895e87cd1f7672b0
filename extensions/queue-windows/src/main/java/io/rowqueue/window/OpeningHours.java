package io.rowqueue.window;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * A range of time on certain days of each week, in the time zone of a window.
 *
 * @param days the days on which the range begins
 * @param from the time at which it begins
 * @param to the time at which it ends: on the same day if it is later than {@code from},
 * otherwise on the next day
 * @since 0.1.0
 */
public record OpeningHours(Set<DayOfWeek> days, LocalTime from, LocalTime to) {

	private static final Pattern NOTATION = Pattern
		.compile("(?:([A-Za-z,\\- ]+?)\\s+)?(\\d{1,2}:\\d{2})\\s*-\\s*(\\d{1,2}:\\d{2})");

	/** Far longer than a text with seven days and two times. */
	private static final int MAX_LENGTH = 200;

	private static final List<String> NAMES = List.of("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN");

	/**
	 * Checks the days.
	 * @throws IllegalArgumentException if there are no days
	 */
	public OpeningHours {
		Assert.isTrue(!days.isEmpty(), "days must not be empty");
		days = Collections.unmodifiableSet(EnumSet.copyOf(days));
	}

	/**
	 * Parses a text such as {@code MON-FRI 23:00-06:00}, {@code SAT,SUN 00:00-24:00} or,
	 * for all days, {@code 22:30-04:00}.
	 * @param text optional days of the week or ranges of them, and the times
	 * @return the range
	 * @throws IllegalArgumentException if the text is not a range; the message shows the
	 * format
	 */
	public static OpeningHours parse(String text) {
		Assert.isTrue(text.length() <= MAX_LENGTH,
				() -> "times must have at most %s characters, not %s".formatted(MAX_LENGTH, text.length()));
		Matcher matcher = NOTATION.matcher(text.strip());
		try {
			if (matcher.matches()) {
				return new OpeningHours(days(matcher.group(1)), time(matcher.group(2)), end(matcher.group(3)));
			}
		}
		catch (DateTimeException | IllegalArgumentException ex) {
			throw wrong(text, ex);
		}
		throw wrong(text, null);
	}

	private static IllegalArgumentException wrong(String text, @Nullable Exception cause) {
		return new IllegalArgumentException("times must be such as 'MON-FRI 23:00-06:00', 'SAT,SUN 00:00-24:00' or"
				+ " '22:30-04:00', not '" + text + "'", cause);
	}

	private static Set<DayOfWeek> days(@Nullable String text) {
		if (text == null) {
			return EnumSet.allOf(DayOfWeek.class);
		}
		Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
		for (String part : StringUtils.tokenizeToStringArray(text, ",")) {
			String[] ends = StringUtils.tokenizeToStringArray(part, "-");
			Assert.isTrue(ends.length == 1 || ends.length == 2, "days must be single days or ranges");
			DayOfWeek last = day(ends[ends.length - 1]);
			DayOfWeek day = day(ends[0]);
			days.add(day);
			while (day != last) {
				day = day.plus(1);
				days.add(day);
			}
		}
		return days;
	}

	private static DayOfWeek day(String name) {
		int index = NAMES.indexOf(name.strip().toUpperCase(Locale.ROOT));
		Assert.isTrue(index >= 0, () -> "unknown day " + name);
		return DayOfWeek.of(index + 1);
	}

	private static LocalTime end(String text) {
		return text.equals("24:00") ? LocalTime.MIDNIGHT : time(text);
	}

	private static LocalTime time(String text) {
		return LocalTime.parse((text.length() == 4) ? "0" + text : text);
	}

	/** Returns whether the range ends on the day after the one on which it begins. */
	boolean endsOnTheNextDay() {
		return !this.to.isAfter(this.from);
	}

	/** Returns the text that {@link #parse} accepts. */
	@Override
	public String toString() {
		List<String> names = new ArrayList<>();
		this.days.forEach((day) -> names.add(NAMES.get(day.getValue() - 1)));
		return String.join(",", names) + " " + this.from + "-"
				+ (this.to.equals(LocalTime.MIDNIGHT) ? "24:00" : this.to);
	}

}
