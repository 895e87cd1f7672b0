package io.rowqueue.schedule;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;

import io.rowqueue.engine.support.RequestChecks;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * Determines when a recurring job is due.
 *
 * @since 0.1.0
 */
public sealed interface Rhythm {

	/** The minimum interval between due times. */
	Duration MIN_INTERVAL = Duration.ofSeconds(1);

	/**
	 * Returns the first due time after the given time.
	 * @param after the given time, which must be a due time for {@link Every}
	 * @return the due time, or {@code null} if there is none
	 */
	@Nullable Instant next(Instant after);

	/**
	 * Creates a rhythm from a cron expression.
	 * @param expression six fields, from seconds to days of the week, as defined by
	 * Spring's {@link org.springframework.scheduling.support.CronExpression}; or five
	 * fields, from minutes to days of the week, as in Unix
	 * @param zone the name of a time zone, such as {@code Europe/Berlin}
	 * @return the rhythm
	 * @throws IllegalArgumentException if the expression or the zone is not valid
	 */
	static Rhythm cron(String expression, String zone) {
		try {
			return new Cron(expression, ZoneId.of(zone));
		}
		catch (DateTimeException ex) {
			throw new IllegalArgumentException("zone must be a time zone such as Europe/Berlin or UTC, not '" + zone
					+ "' (" + ex.getMessage() + ")", ex);
		}
	}

	/**
	 * Creates a rhythm with equal intervals, counted from when the schedule was first
	 * stored.
	 * @param interval the time between due times, at least a second
	 * @return the rhythm
	 */
	static Rhythm every(Duration interval) {
		return new Every(interval);
	}

	/**
	 * A cron expression in a time zone. A local time that a change of the clocks skips is
	 * due once, at the moment of the change. A local time that occurs twice is due only
	 * the first time, unless the hours of the expression begin with {@code *}: such an
	 * expression means each hour that passes, and is due both times.
	 *
	 * @param expression six fields, from seconds to days of the week, or five, from
	 * minutes
	 * @param zone the time zone
	 */
	record Cron(String expression, ZoneId zone) implements Rhythm {

		/**
		 * Checks the expression.
		 * @throws IllegalArgumentException if it is not valid; the message says why
		 */
		public Cron {
			CronTimes.check(expression);
		}

		@Override
		public @Nullable Instant next(Instant after) {
			return new CronTimes(this.expression, this.zone).next(after);
		}

		/** Returns the first local time after the given one. */
		@Nullable LocalDateTime nextLocal(LocalDateTime after) {
			return new CronTimes(this.expression, this.zone).nextLocal(after);
		}

		/** Returns when a local time is due, on a day whose clocks may be changed. */
		Instant at(LocalDateTime local) {
			return new CronTimes(this.expression, this.zone).meant(local);
		}

		@Override
		public String toString() {
			return "cron " + this.expression + " " + this.zone;
		}

	}

	/**
	 * At equal intervals.
	 *
	 * @param interval the time between due times
	 */
	record Every(Duration interval) implements Rhythm {

		/**
		 * Checks the interval.
		 * @throws IllegalArgumentException if it is too short or too long
		 */
		public Every {
			RequestChecks.duration("every", interval);
			Assert.isTrue(interval.compareTo(MIN_INTERVAL) >= 0, () -> "every must be at least 1s, not " + interval);
		}

		@Override
		public Instant next(Instant after) {
			return after.plus(this.interval);
		}

		/**
		 * Returns the first due time after the given time.
		 * @param due a due time, from which the others are counted
		 * @param after the given time
		 * @return the due time
		 */
		public Instant next(Instant due, Instant after) {
			Duration passed = Duration.between(due, after);
			Instant last = due.plus(this.interval.multipliedBy(passed.dividedBy(this.interval)));
			return last.isAfter(after) ? last : last.plus(this.interval);
		}

		@Override
		public String toString() {
			return "every " + this.interval;
		}

	}

}
