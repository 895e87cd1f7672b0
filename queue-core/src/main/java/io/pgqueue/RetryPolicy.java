package io.pgqueue;

import java.time.Duration;
import java.util.List;

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
	 * @param job what failed: {@link JobContext#attempt()} is the number of the attempt
	 * @param error what the handler threw
	 * @return how long to wait, or {@code null} to fail the job for good now
	 */
	@Nullable Duration delayAfter(JobContext job, Throwable error);

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

	/**
	 * Pauses of {@code step × attempt}, at most {@code max}, shortened by a random part
	 * of up to {@code jitter} of it.
	 * @param step the pause after the first failure, and how much longer each pause is
	 * than the one before
	 * @param max the longest pause
	 * @param jitter from 0 (none) to 1
	 * @return the policy
	 */
	static RetryPolicy linear(Duration step, Duration max, double jitter) {
		return new LinearBackoff(step, max, jitter);
	}

	/**
	 * The same pause after each failure.
	 * @param delay the pause
	 * @return the policy
	 */
	static RetryPolicy fixed(Duration delay) {
		return delays(delay);
	}

	/**
	 * One given pause after another; when there are more attempts, the last one again and
	 * again.
	 * @param delays the pauses, at least one
	 * @return the policy
	 */
	static RetryPolicy delays(Duration... delays) {
		return new GivenDelays(List.of(delays));
	}

}
