package io.pgqueue;

import java.time.Duration;

import org.springframework.util.Assert;

/**
 * How jobs of a type are run together in one call of their handler.
 *
 * @param maxJobs how many jobs a call has at most, from 2 to {@value #MAX_JOBS}
 * @param maxWait how long the first job of a call waits for others once it is due, never
 * longer than its tolerance; zero: only those that are due already go together
 * @since 0.1.0
 */
public record Coalescing(int maxJobs, Duration maxWait) {

	/** The most jobs of a call. */
	public static final int MAX_JOBS = 500;

	/**
	 * Checks every value.
	 * @throws IllegalArgumentException naming the value that is wrong and what is allowed
	 */
	public Coalescing {
		Assert.isTrue(maxJobs >= 2 && maxJobs <= MAX_JOBS,
				() -> "coalesce must be from 2 to " + MAX_JOBS + ", not " + maxJobs);
		Assert.isTrue(!maxWait.isNegative() && maxWait.compareTo(JobRequest.MAX_DELAY) <= 0,
				() -> "coalesceWait must be from 0 to 365000 days, not " + maxWait);
	}

}
