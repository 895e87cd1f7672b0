package io.pgqueue.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

import io.pgqueue.JobRequest;
import io.pgqueue.engine.support.RequestChecks;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.StringUtils;

/**
 * The times of a cron expression in a time zone. Only local times are passed to
 * {@link CronExpression}: with zoned times it omits a day whose time is skipped by a
 * change of the clocks, and counts a time twice that occurs twice.
 */
final class CronTimes {

	private final CronExpression expression;

	private final boolean eachHour;

	private final ZoneRules rules;

	CronTimes(String expression, ZoneId zone) {
		this.expression = CronExpression.parse(expression);
		this.rules = zone.getRules();
		this.eachHour = isEachHour(expression);
	}

	static void check(String expression) {
		RequestChecks.text("cron", expression, JobRequest.MAX_NAME_LENGTH);
		try {
			CronExpression.parse(expression);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException("cron must be six fields such as '0 30 2 * * MON-FRI' (second, minute,"
					+ " hour, day, month, day of week), not '" + expression + "': " + ex.getMessage(), ex);
		}
	}

	private static boolean isEachHour(String expression) {
		String[] fields = StringUtils.tokenizeToStringArray(expression, " ");
		return (fields.length > 2) ? fields[2].startsWith("*") : expression.strip().equals("@hourly");
	}

	/** Returns the first time after the given one, or {@code null} if there is none. */
	@Nullable Instant next(Instant after) {
		return this.eachHour ? nextShown(after) : nextMeant(after);
	}

	/** Each local time once: a later local time never maps to an earlier instant. */
	private @Nullable Instant nextMeant(Instant after) {
		LocalDateTime local = LocalDateTime.ofInstant(after, this.rules.getOffset(after));
		Instant meant = after;
		while (!meant.isAfter(after)) {
			local = this.expression.next(local);
			if (local == null) {
				return null;
			}
			meant = meant(local);
		}
		return meant;
	}

	private Instant meant(LocalDateTime local) {
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
			LocalDateTime local = this.expression.next(LocalDateTime.ofInstant(from, offset));
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
