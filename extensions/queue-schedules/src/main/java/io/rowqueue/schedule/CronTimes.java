package io.rowqueue.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.support.RequestChecks;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.StringUtils;

/**
 * The times of a cron expression in a time zone. Only local times are passed to
 * {@link CronExpression}: with zoned times it omits a day whose time is skipped by a
 * change of the clocks, and counts a time twice that occurs twice.
 * <p>
 * An expression with five fields, as Unix has them, is due at second 0. If it restricts
 * both days of the month and days of the week, it is due on days that match either of
 * them: it is parsed as two expressions.
 */
final class CronTimes {

	private static final int UNIX_FIELDS = 5;

	private static final int DAY_OF_MONTH = 2;

	private static final int DAY_OF_WEEK = 4;

	private final List<CronExpression> expressions;

	private final boolean eachHour;

	private final ZoneRules rules;

	CronTimes(String expression, ZoneId zone) {
		this.expressions = parse(expression);
		this.rules = zone.getRules();
		this.eachHour = isEachHour(expression);
	}

	static void check(String expression) {
		RequestChecks.text("cron", expression, JobRequest.MAX_NAME_LENGTH);
		try {
			parse(expression);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("cron must be five fields such as '30 2 * * MON-FRI' (minute, hour, day,"
					+ " month, day of week), or six fields that begin with the second, not '" + expression + "': "
					+ ex.getMessage(), ex);
		}
	}

	private static List<CronExpression> parse(String expression) {
		String[] fields = fields(expression);
		if (fields.length != UNIX_FIELDS) {
			return List.of(CronExpression.parse(expression));
		}
		if (isAny(fields[DAY_OF_MONTH]) || isAny(fields[DAY_OF_WEEK])) {
			return List.of(withSeconds(fields));
		}
		String[] daysOfWeek = fields.clone();
		daysOfWeek[DAY_OF_MONTH] = "*";
		fields[DAY_OF_WEEK] = "*";
		return List.of(withSeconds(fields), withSeconds(daysOfWeek));
	}

	private static CronExpression withSeconds(String[] fields) {
		return CronExpression.parse("0 " + String.join(" ", fields));
	}

	private static boolean isAny(String field) {
		return field.startsWith("*") || field.equals("?");
	}

	private static String[] fields(String expression) {
		return StringUtils.tokenizeToStringArray(expression, " ");
	}

	private static boolean isEachHour(String expression) {
		String[] fields = fields(expression);
		int hour = (fields.length == UNIX_FIELDS) ? 1 : 2;
		return (fields.length > hour) ? fields[hour].startsWith("*") : expression.strip().equals("@hourly");
	}

	/** Returns the first time after the given one, or {@code null} if there is none. */
	@Nullable Instant next(Instant after) {
		return this.eachHour ? nextShown(after) : nextMeant(after);
	}

	/** Returns the first local time after the given one, or {@code null}. */
	@Nullable LocalDateTime nextLocal(LocalDateTime after) {
		LocalDateTime earliest = null;
		for (CronExpression expression : this.expressions) {
			LocalDateTime next = expression.next(after);
			earliest = (next != null && (earliest == null || next.isBefore(earliest))) ? next : earliest;
		}
		return earliest;
	}

	/** Each local time once: a later local time never maps to an earlier instant. */
	private @Nullable Instant nextMeant(Instant after) {
		LocalDateTime local = LocalDateTime.ofInstant(after, this.rules.getOffset(after));
		Instant meant = after;
		while (!meant.isAfter(after)) {
			local = nextLocal(local);
			if (local == null) {
				return null;
			}
			meant = meant(local);
		}
		return meant;
	}

	/** Returns when a local time is due: once, also if it is skipped or occurs twice. */
	Instant meant(LocalDateTime local) {
		ZoneOffsetTransition change = this.rules.getTransition(local);
		if (change == null) {
			return local.toInstant(this.rules.getOffset(local));
		}
		return change.isGap() ? change.getInstant() : local.toInstant(change.getOffsetBefore());
	}

	/** Each occurrence of a local time, from one change of the clocks to the next. */
	private @Nullable Instant nextShown(Instant after) {
		Instant from = after;
		ZoneOffset offset = this.rules.getOffset(after);
		while (true) {
			LocalDateTime local = nextLocal(LocalDateTime.ofInstant(from, offset));
			if (local == null) {
				return null;
			}
			Instant shown = local.toInstant(offset);
			ZoneOffsetTransition change = this.rules.nextTransition(after);
			if (change == null || shown.isBefore(change.getInstant())) {
				return shown;
			}
			after = change.getInstant();
			// the first moment with the new offset counts
			from = after.minusNanos(1);
			offset = change.getOffsetAfter();
		}
	}

}
