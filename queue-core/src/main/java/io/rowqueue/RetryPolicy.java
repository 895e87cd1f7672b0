package io.rowqueue;

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
	 * The policy that applies if no other is configured: exponential, starting with two
	 * seconds, with a factor of three, at most one hour, and a jitter of 20%.
	 */
	RetryPolicy DEFAULT = exponential(Duration.ofSeconds(2), 3, Duration.ofHours(1), 0.2);

	/**
	 * Returns the delay before the next attempt. It is called only while the job has
	 * attempts left.
	 * @param job the context of the failed attempt, whose number is
	 * {@link JobContext#attempt()}
	 * @param error what the handler threw
	 * @return the delay, or {@code null} to fail the job permanently
	 */
	@Nullable Duration delayAfter(JobContext job, Throwable error);

	/**
	 * Exponential backoff with jitter: {@code initial × multiplier^(attempt − 1)}, at
	 * most {@code max}, reduced by a random fraction of up to {@code jitter}, so that
	 * jobs that failed at the same time are not all retried at the same time.
	 * @param initial the delay after the first failure
	 * @param multiplier the factor between successive delays, at least 1
	 * @param max the maximum delay
	 * @param jitter from 0 (none) to 1
	 * @return the policy
	 */
	static RetryPolicy exponential(Duration initial, double multiplier, Duration max, double jitter) {
		return new RetryPolicies.ExponentialBackoff(initial, multiplier, max, jitter);
	}

	/**
	 * Linear backoff with jitter: {@code step × attempt}, at most {@code max}, reduced by
	 * a random fraction of up to {@code jitter}.
	 * @param step the delay after the first failure, and the difference between
	 * successive delays
	 * @param max the maximum delay
	 * @param jitter from 0 (none) to 1
	 * @return the policy
	 */
	static RetryPolicy linear(Duration step, Duration max, double jitter) {
		return new RetryPolicies.LinearBackoff(step, max, jitter);
	}

	/**
	 * The same delay after each failure.
	 * @param delay the delay
	 * @return the policy
	 */
	static RetryPolicy fixed(Duration delay) {
		return delays(delay);
	}

	/**
	 * A list of delays, one for each failure. The last one is repeated for all further
	 * failures.
	 * @param delays the delays, at least one
	 * @return the policy
	 */
	static RetryPolicy delays(Duration... delays) {
		return new RetryPolicies.GivenDelays(List.of(delays));
	}

}
