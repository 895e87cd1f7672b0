package io.pgqueue;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Decides how long a job waits after a failed attempt.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RetryPolicy {

	/**
	 * What applies where nothing else is said: two seconds, then three times as long
	 * after each failure, at most an hour, up to a fifth less.
	 */
	RetryPolicy DEFAULT = exponential(Duration.ofSeconds(2), 3, Duration.ofHours(1), 0.2);

	/**
	 * The pause before the next attempt. It is asked only while the job has attempts
	 * left.
	 * @param attempt the number of the attempt that failed; 1 is the first
	 * @param error what the handler threw
	 * @return how long to wait, or {@code null} to fail the job for good now
	 */
	@Nullable Duration delayAfter(int attempt, Throwable error);

	/**
	 * Exponential backoff with jitter: {@code initial × multiplier^(attempt − 1)}, at
	 * most {@code max}, shortened by a random part of up to {@code jitter} of it, so that
	 * jobs that failed together do not come back together. Errors that a repetition
	 * cannot mend ({@link PayloadConversionException}) are not retried.
	 * @param initial the pause after the first failure
	 * @param multiplier how much longer each pause is than the one before, at least 1
	 * @param max the longest pause
	 * @param jitter from 0 (none) to 1
	 * @return the policy
	 */
	static RetryPolicy exponential(Duration initial, double multiplier, Duration max, double jitter) {
		return new ExponentialBackoff(initial, multiplier, max, jitter);
	}

}
