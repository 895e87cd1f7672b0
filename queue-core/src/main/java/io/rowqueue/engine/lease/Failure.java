package io.rowqueue.engine.lease;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A failed attempt.
 *
 * @param lease the lease under which it ran
 * @param error the error
 * @param retryAfter the delay before the next attempt, or {@code null} if the job has
 * failed permanently
 * @param group the fingerprint of the error, or {@code null} if it has none
 */
public record Failure(Lease lease, String error, @Nullable Duration retryAfter, @Nullable Long group) {

	/** Creates a failure without a fingerprint. */
	public Failure(Lease lease, String error, @Nullable Duration retryAfter) {
		this(lease, error, retryAfter, null);
	}

}
