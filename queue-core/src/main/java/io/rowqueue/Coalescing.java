package io.rowqueue;

import java.time.Duration;

import org.springframework.util.Assert;

/**
 * Settings for running several jobs of a type in one call of their handler.
 *
 * @param maxJobs the maximum number of jobs in a call, from 2 to {@value #MAX_JOBS}
 * @param maxWait how long the first job of a call waits for others once it is due,
 * limited by its tolerance; with zero, a call contains only jobs that are already due
 * @since 0.1.0
 */
public record Coalescing(int maxJobs, Duration maxWait) {

	/** The highest possible maximum number of jobs in a call. */
	public static final int MAX_JOBS = 500;

	/**
	 * Checks the values.
	 * @throws IllegalArgumentException if a value is not allowed; the message names it
	 */
	public Coalescing {
		Assert.isTrue(maxJobs >= 2 && maxJobs <= MAX_JOBS,
				() -> "coalesce must be from 2 to " + MAX_JOBS + ", not " + maxJobs);
		Assert.isTrue(!maxWait.isNegative() && maxWait.compareTo(JobRequest.MAX_DELAY) <= 0,
				() -> "coalesceWait must be from 0 to 365000 days, not " + maxWait);
	}

}
