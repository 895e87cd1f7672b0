package io.rowqueue.cli.importer;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.rowqueue.schedule.Rhythm;

/**
 * Converts cron expressions of Quartz, whose days of the week begin with 1 for Sunday and
 * which may have years, to those of Spring.
 */
final class QuartzCron {

	private static final String[] DAYS = { "SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT" };

	private static final Pattern DAY = Pattern.compile("(?<![#A-Z\\d])([1-7])(?!\\d)");

	private QuartzCron() {
	}

	static Rhythm rhythm(String expression, String zone) {
		String[] fields = expression.strip().split("\\s+");
		if (fields.length < 6 || fields.length > 7) {
			throw new IllegalArgumentException("'" + expression + "' does not have six or seven fields");
		}
		if (fields.length == 7 && !fields[6].equals("*")) {
			throw new IllegalArgumentException("'" + expression + "' has years, which a rhythm does not support");
		}
		if (fields[5].contains("/")) {
			throw new IllegalArgumentException("'" + expression + "' has steps in the days of the week");
		}
		fields[5] = fields[5].equalsIgnoreCase("L") ? "SAT" : days(fields[5]);
		return Rhythm.cron(String.join(" ", fields[0], fields[1], fields[2], fields[3], fields[4], fields[5]), zone);
	}

	private static String days(String field) {
		Matcher matcher = DAY.matcher(field);
		return matcher.replaceAll((day) -> DAYS[Integer.parseInt(day.group(1)) - 1]);
	}

}
