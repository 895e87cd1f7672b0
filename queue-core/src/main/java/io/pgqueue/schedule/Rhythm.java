package io.pgqueue.schedule;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

import io.pgqueue.engine.support.RequestChecks;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * When a recurring job is due.
 *
 * @since 0.1.0
 */
public sealed interface Rhythm {

	/** The shortest time from one run to the next. */
	Duration SHORTEST = Duration.ofSeconds(1);

	/**
	 * The first due time after another one.
	 * @param after the time before it, a due time itself where the rhythm is
	 * {@link Every}
	 * @return the time, always later; {@code null} if there is none
	 */
	@Nullable Instant next(Instant after);

	/**
	 * By a cron expression.
	 * @param expression six fields, from seconds to days of the week, as Spring's
	 * {@link org.springframework.scheduling.support.CronExpression} reads them
	 * @param zone the name of a time zone, such as {@code Europe/Berlin}
	 * @return the rhythm
	 * @throws IllegalArgumentException telling what is wrong with either
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
	 * At equal intervals, counted from when the schedule was first written down.
	 * @param interval from one due time to the next, at least a second
	 * @return the rhythm
	 */
	static Rhythm every(Duration interval) {
		return new Every(interval);
	}

	/**
	 * By a cron expression and the clocks on the walls of a time zone. A time that the
	 * clocks leap over is due at the moment of the leap, once. A time that they show
	 * twice is due the first time, unless the expression's hours begin with {@code *}:
	 * such a one means each hour that passes, and is due whenever the clocks show it.
	 *
	 * @param expression six fields, from seconds to days of the week
	 * @param zone the time zone
	 */
	record Cron(String expression, ZoneId zone) implements Rhythm {

		/**
		 * Checks the expression.
		 * @throws IllegalArgumentException telling what is wrong with it
		 */
		public Cron {
			CronTimes.check(expression);
		}

		@Override
		public @Nullable Instant next(Instant after) {
			return new CronTimes(this.expression, this.zone).next(after);
		}

		@Override
		public String toString() {
			return "cron " + this.expression + " " + this.zone;
		}

	}

	/**
	 * At equal intervals.
	 *
	 * @param interval from one due time to the next
	 */
	record Every(Duration interval) implements Rhythm {

		/**
		 * Checks the interval.
		 * @throws IllegalArgumentException if it is too short or too long
		 */
		public Every {
			RequestChecks.duration("every", interval);
			Assert.isTrue(interval.compareTo(SHORTEST) >= 0, () -> "every must be at least 1s, not " + interval);
		}

		@Override
		public Instant next(Instant after) {
			return after.plus(this.interval);
		}

		@Override
		public String toString() {
			return "every " + this.interval;
		}

	}

}
