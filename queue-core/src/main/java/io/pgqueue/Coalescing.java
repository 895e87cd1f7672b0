package io.pgqueue;

import java.time.Duration;

import org.springframework.util.Assert;

/**
 * How jobs of a type are run together in one call of their handler.
 *
 * @param most how many jobs a call has at most, from 2 to {@value #LARGEST}
 * @param longestWait how long the first job of a call waits for others once it is due,
 * never longer than its tolerance; zero: only those that are due already go together
 * @since 0.1.0
 */
public record Coalescing(int most, Duration longestWait) {

	/** The most jobs of a call. */
	public static final int LARGEST = 500;

	/**
	 * Checks every value.
	 * @throws IllegalArgumentException naming the value that is wrong and what is allowed
	 */
	public Coalescing {
		Assert.isTrue(most >= 2 && most <= LARGEST, () -> "coalesce must be from 2 to " + LARGEST + ", not " + most);
		Assert.isTrue(!longestWait.isNegative() && longestWait.compareTo(JobRequest.MAX_DELAY) <= 0,
				() -> "coalesceWait must be from 0 to 365000 days, not " + longestWait);
	}

}
