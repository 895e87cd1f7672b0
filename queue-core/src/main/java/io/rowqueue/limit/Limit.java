package io.rowqueue.limit;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * A maximum for the whole cluster, whatever the number of processes: of jobs that run at
 * the same time, of jobs that start in a period, or of both. Immutable: every method that
 * sets a value returns a changed copy, and throws {@link IllegalArgumentException} if the
 * value is not allowed.
 *
 * <pre class="code">
 * Limit.concurrency(5).rate(100, Duration.ofMinutes(1))
 * </pre>
 *
 * @since 0.1.0
 */
public final class Limit {

	private static final String BURST = "burst ";

	private static final String ORDERED = "ordered";

	private final @Nullable Integer concurrency;

	private final @Nullable Rate rate;

	private final boolean ordered;

	private Limit(@Nullable Integer concurrency, @Nullable Rate rate, boolean ordered) {
		Assert.isTrue(concurrency == null || concurrency > 0, () -> "concurrency must be positive, not " + concurrency);
		Assert.isTrue(concurrency != null || rate != null, "set a concurrency, a rate, or both");
		Assert.isTrue(!ordered || (concurrency != null && concurrency == 1), "ordered requires a concurrency of 1");
		this.concurrency = concurrency;
		this.rate = rate;
		this.ordered = ordered;
	}

	/**
	 * Creates a limit of a concurrency, a rate, or both.
	 * @param concurrency the maximum number of jobs that run at the same time, or
	 * {@code null} for no maximum
	 * @param rate the maximum number of jobs that start in a period, or {@code null} for
	 * no maximum
	 * @return the limit
	 */
	public static Limit of(@Nullable Integer concurrency, @Nullable Rate rate) {
		return new Limit(concurrency, rate, false);
	}

	/**
	 * Parses a limit such as {@code 5}, {@code 100/1m}, {@code 5, 100/1m, burst 20} or
	 * {@code 1, ordered}.
	 * @param text a concurrency, a rate, or both; {@code burst} and a number with a rate,
	 * and {@code ordered} with a concurrency of 1
	 * @return the limit
	 * @throws IllegalArgumentException if the text is not a limit
	 */
	public static Limit of(String text) {
		@Nullable Integer concurrency = null;
		@Nullable Rate rate = null;
		@Nullable Integer burst = null;
		boolean ordered = false;
		for (String part : text.split(",", -1)) {
			String word = part.strip();
			if (word.equals(ORDERED)) {
				ordered = true;
			}
			else if (word.startsWith(BURST)) {
				burst = Rate.number(word.substring(BURST.length()), text);
			}
			else if (word.contains("/")) {
				rate = Rate.of(word);
			}
			else {
				concurrency = Rate.number(word, text);
			}
		}
		Limit limit = new Limit(concurrency, rate, ordered);
		return (burst != null) ? limit.burst(burst) : limit;
	}

	/**
	 * Limits how many jobs run at the same time.
	 * @param jobs the maximum number of jobs, at least 1
	 * @return the limit
	 */
	public static Limit concurrency(int jobs) {
		return new Limit(jobs, null, false);
	}

	/**
	 * Limits how many jobs start in each period. After a pause, the same number may start
	 * at once.
	 * @param jobs the maximum number of jobs, at least 1
	 * @param period the period, from a microsecond to {@link Rate#MAX_PERIOD}
	 * @return the limit
	 */
	public static Limit perPeriod(int jobs, Duration period) {
		return new Limit(null, new Rate(jobs, period, jobs), false);
	}

	/**
	 * Sets the rate, with a burst of the same number of jobs.
	 * @param jobs how many jobs may start in each period, at least 1
	 * @param period the period, from a microsecond to {@link Rate#MAX_PERIOD}
	 * @return a changed copy
	 */
	public Limit rate(int jobs, Duration period) {
		return new Limit(this.concurrency, new Rate(jobs, period, jobs), this.ordered);
	}

	/**
	 * Sets how many jobs may start at once after a pause; by default as many as in a
	 * period.
	 * @param jobs at least 1; with 1, jobs start at equal intervals
	 * @return a changed copy
	 * @throws IllegalArgumentException if there is no rate
	 */
	public Limit burst(int jobs) {
		Rate given = this.rate;
		if (given == null) {
			throw new IllegalArgumentException("burst requires a rate");
		}
		return new Limit(this.concurrency, new Rate(given.jobs(), given.period(), jobs), this.ordered);
	}

	/**
	 * Sets whether the jobs of a key run strictly one after the other: while a failed job
	 * waits for its retry, the jobs behind it wait as well, until it has succeeded,
	 * failed permanently or been cancelled. Only applies to keys.
	 * @param ordered whether they do; {@code false} by default
	 * @return a changed copy
	 * @throws IllegalArgumentException if the concurrency is not 1
	 */
	public Limit ordered(boolean ordered) {
		return new Limit(this.concurrency, this.rate, ordered);
	}

	/** Returns how many jobs run at the same time, or {@code null} for no maximum. */
	public @Nullable Integer concurrency() {
		return this.concurrency;
	}

	/** Returns how many jobs start in a period, or {@code null} for no maximum. */
	public @Nullable Rate rate() {
		return this.rate;
	}

	/** Returns whether the jobs of a key run strictly one after the other. */
	public boolean ordered() {
		return this.ordered;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof Limit limit && Objects.equals(this.concurrency, limit.concurrency)
				&& Objects.equals(this.rate, limit.rate) && this.ordered == limit.ordered;
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.concurrency, this.rate, this.ordered);
	}

	@Override
	public String toString() {
		return "Limit[concurrency=" + this.concurrency + ", rate=" + this.rate + ", ordered=" + this.ordered + "]";
	}

	/**
	 * A rate, as a bucket of {@code burst} tokens that is refilled continuously. A job
	 * takes a token when a worker claims it.
	 *
	 * @param jobs how many tokens are added in each period
	 * @param period the period
	 * @param burst how many tokens the bucket holds
	 * @since 0.1.0
	 */
	public record Rate(int jobs, Duration period, int burst) {

		private static final Pattern NOTATION = Pattern.compile("(\\d+)\\s*/\\s*(\\d*)(ms|s|m|h|d)");

		/** The maximum period: a year. */
		public static final Duration MAX_PERIOD = Duration.ofDays(366);

		/**
		 * Checks the values.
		 * @throws IllegalArgumentException if a value is not allowed; the message names
		 * it
		 */
		public Rate {
			Assert.isTrue(jobs > 0, () -> "the jobs of a rate must be positive, not " + jobs);
			Assert.isTrue(period.compareTo(Duration.ofNanos(1000)) >= 0 && period.compareTo(MAX_PERIOD) <= 0,
					() -> "the period of a rate must be from a microsecond to 366 days, not " + period);
			Assert.isTrue(burst > 0, () -> "burst must be positive, not " + burst);
		}

		/**
		 * Parses a rate such as {@code 100/1m}, {@code 5/s} or {@code 1/500ms}. The units
		 * are ms, s, m, h and d.
		 * @param text the number of jobs, a slash, and the period
		 * @return the rate, whose burst is its number of jobs
		 * @throws IllegalArgumentException if the text is not a rate
		 */
		public static Rate of(String text) {
			Matcher matcher = NOTATION.matcher(text.strip());
			Assert.isTrue(matcher.matches(), () -> "a rate must be such as 100/1m or 5/s, not '" + text + "'");
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
				throw new IllegalArgumentException("'" + part.strip() + "' in '" + text + "' is not a number of jobs",
						ex);
			}
		}

	}

}
