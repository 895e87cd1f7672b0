package io.pgqueue.store;

import java.time.Instant;
import java.util.Comparator;

import org.jspecify.annotations.Nullable;

/**
 * A job with the lease under which it may be run.
 *
 * @param lease the lease
 * @param type the type
 * @param queue the queue
 * @param priority a bigger number goes first
 * @param attempt the number of this attempt, 1 is the first
 * @param maxAttempts how many there are at most; {@code null}: the worker's default
 * @param runAt when it was due
 * @param orderAt its deadline
 * @param createdAt when it was enqueued
 * @param cancelRequested whether it is not to be run, but cancelled
 * @param payload the payload as JSON, or {@code null}
 * @param leasedAt when it was claimed
 * @param headers what was kept on it when it was enqueued, as JSON, or {@code null}
 */
public record ClaimedJob(Lease lease, String type, String queue, int priority, int attempt,
		@Nullable Integer maxAttempts, Instant runAt, Instant orderAt, Instant createdAt, boolean cancelRequested,
		@Nullable String payload, Instant leasedAt, @Nullable String headers) {

	/** By priority, then by deadline. */
	public static final Comparator<ClaimedJob> MOST_URGENT_FIRST = Comparator
		.comparing(ClaimedJob::priority, Comparator.reverseOrder())
		.thenComparing(ClaimedJob::orderAt)
		.thenComparing((job) -> job.lease().jobId());

}
