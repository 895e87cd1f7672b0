package io.pgqueue.limit;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * How much of something may happen in the whole cluster, whatever the number of
 * processes. Immutable: every method returns a changed copy.
 *
 * <pre class="code">
 * Limit.concurrency(5).rate(100, Duration.ofMinutes(1))
 * </pre>
 *
 * @param concurrency how many jobs run at once; {@code null}: any number
 * @param rate how many jobs begin in a time; {@code null}: any number
 * @param ordered whether the jobs of a key run one after the other even where one of them
 * fails and waits for its retry: the others wait with it until it succeeds, fails for
 * good or is cancelled. For keys with a concurrency of 1
 * @since 0.1.0
 */
public record Limit(@Nullable Integer concurrency, @Nullable Rate rate, boolean ordered) {

	/**
	 * Checks every value.
	 * @throws IllegalArgumentException naming the value that is wrong and what is allowed
	 */
	public Limit {
		Assert.isTrue(concurrency == null || concurrency > 0, () -> "concurrency must be positive, not " + concurrency);
		Assert.isTrue(concurrency != null || rate != null, "give a concurrency, a rate, or both");
		Assert.isTrue(!ordered || (concurrency != null && concurrency == 1), "ordered needs a concurrency of 1");
	}

	/**
	 * Reads a limit as people write it: {@code 5}, {@code 100/1m} or {@code 5, 100/1m}.
	 * @param text a concurrency, a rate, or both
	 * @return the limit
	 * @throws IllegalArgumentException if it is none
	 */
	public static Limit of(String text) {
		@Nullable Integer concurrency = null;
		@Nullable Rate rate = null;
		for (String part : text.split(",", -1)) {
			if (part.contains("/")) {
				rate = Rate.of(part);
			}
			else {
				concurrency = Rate.number(part, text);
			}
		}
		return new Limit(concurrency, rate, false);
	}

	/**
	 * So many jobs at once.
	 * @param jobs at least 1
	 * @return the limit
	 */
	public static Limit concurrency(int jobs) {
		return new Limit(jobs, null, false);
	}

	/**
	 * So many jobs in each period, and as many at once after a rest.
	 * @param jobs at least 1
	 * @param period a microsecond or longer
	 * @return the limit
	 */
	public static Limit perPeriod(int jobs, Duration period) {
		return new Limit(null, new Rate(jobs, period, jobs), false);
	}

	/**
	 * Adds a rate.
	 * @param jobs how many jobs begin in each period, at least 1
	 * @param period a microsecond or longer
	 * @return a changed copy
	 */
	public Limit rate(int jobs, Duration period) {
		return new Limit(this.concurrency, new Rate(jobs, period, jobs), this.ordered);
	}

	/**
	 * Sets how many jobs may begin at once after a rest; the rate's jobs by default.
	 * @param jobs at least 1; 1 spreads the jobs evenly
	 * @return a changed copy
	 * @throws IllegalArgumentException if there is no rate
	 */
	public Limit burst(int jobs) {
		Rate given = this.rate;
		if (given == null) {
			throw new IllegalArgumentException("burst needs a rate");
		}
		return new Limit(this.concurrency, new Rate(given.jobs(), given.period(), jobs), this.ordered);
	}

	/**
	 * Sets whether the jobs of a key run strictly one after the other.
	 * @param ordered whether they do; {@code false} is the default
	 * @return a changed copy
	 * @throws IllegalArgumentException if the concurrency is not 1
	 */
	public Limit ordered(boolean ordered) {
		return new Limit(this.concurrency, this.rate, ordered);
	}

	/**
	 * How many jobs begin in a time: a bucket of {@code burst} tokens, of which each job
	 * takes one when a worker takes the job, and which fills by the rate.
	 *
	 * @param jobs how many tokens come in each period
	 * @param period the period
	 * @param burst how many tokens the bucket holds
	 * @since 0.1.0
	 */
	public record Rate(int jobs, Duration period, int burst) {

		private static final Pattern NOTATION = Pattern.compile("(\\d+)\\s*/\\s*(\\d*)(ms|s|m|h|d)");

		/** The longest period: a year. */
		public static final Duration MAX_PERIOD = Duration.ofDays(366);

		/**
		 * Checks every value.
		 * @throws IllegalArgumentException naming the value that is wrong
		 */
		public Rate {
			Assert.isTrue(jobs > 0, () -> "the jobs of a rate must be positive, not " + jobs);
			Assert.isTrue(period.compareTo(Duration.ofNanos(1000)) >= 0 && period.compareTo(MAX_PERIOD) <= 0,
					() -> "the period of a rate must be from a microsecond to 366 days, not " + period);
			Assert.isTrue(burst > 0, () -> "burst must be positive, not " + burst);
		}

		/**
		 * Reads a rate as people write it: {@code 100/1m}, {@code 5/s}, {@code 1/500ms}.
		 * The units are ms, s, m, h and d.
		 * @param text jobs, a slash, and a period
		 * @return the rate, whose burst is its jobs
		 * @throws IllegalArgumentException if it is none
		 */
		public static Rate of(String text) {
			Matcher matcher = NOTATION.matcher(text.strip());
			Assert.isTrue(matcher.matches(), () -> "a rate is written like 100/1m or 5/s, not '" + text + "'");
			int jobs = number(matcher.group(1), text);
			long periods = matcher.group(2).isEmpty() ? 1 : number(matcher.group(2), text);
			ChronoUnit unit = switch (matcher.group(3)) {
				case "ms" -> ChronoUnit.MILLIS;
				case "s" -> ChronoUnit.SECONDS;
				case "m" -> ChronoUnit.MINUTES;
				case "h" -> ChronoUnit.HOURS;
				default -> ChronoUnit.DAYS;
			};
			return new Rate(jobs, Duration.of(periods, unit), jobs);
		}

		private static int number(String part, String text) {
			try {
				return Integer.parseInt(part.strip());
			}
			catch (NumberFormatException ex) {
				throw new IllegalArgumentException("'" + part.strip() + "' in '" + text + "' is no number of jobs", ex);
			}
		}

	}

}
