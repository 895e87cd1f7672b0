package io.pgqueue.engine.lease;

import java.time.Instant;
import java.util.Comparator;

import io.pgqueue.engine.database.PostgresTime;
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
 * @param runAt when it was due, as {@link PostgresTime} counts
 * @param orderAt its deadline, counted likewise
 * @param createdAt when it was enqueued, counted likewise
 * @param leasedAt when it was claimed, counted likewise
 * @param cancelRequested whether it is not to be run, but cancelled
 * @param payload the payload as JSON; {@code null}: none, or deferred
 * @param payloadDeferred whether it is so big that it was left in the database until the
 * job runs
 * @param headers what was kept on it when it was enqueued, as JSON, or {@code null}
 * @param limitKey the key whose limit counts it, or {@code null}
 * @param claimId the claim that brought it, see {@link Claimed#claimId()}; 0: unknown
 */
public record ClaimedJob(Lease lease, String type, String queue, int priority, int attempt,
		@Nullable Integer maxAttempts, long runAt, long orderAt, long createdAt, long leasedAt, boolean cancelRequested,
		@Nullable String payload, boolean payloadDeferred, @Nullable String headers, @Nullable String limitKey,
		long claimId) {

	/** By priority, then by deadline. */
	public static final Comparator<ClaimedJob> MOST_URGENT_FIRST = ClaimedJob::compareUrgency;

	/** A job without a limit key, of an unknown claim. */
	public ClaimedJob(Lease lease, String type, String queue, int priority, int attempt, @Nullable Integer maxAttempts,
			long runAt, long orderAt, long createdAt, long leasedAt, boolean cancelRequested, @Nullable String payload,
			boolean payloadDeferred, @Nullable String headers) {
		this(lease, type, queue, priority, attempt, maxAttempts, runAt, orderAt, createdAt, leasedAt, cancelRequested,
				payload, payloadDeferred, headers, null, 0);
	}

	private static int compareUrgency(ClaimedJob one, ClaimedJob other) {
		if (one.priority != other.priority) {
			return Integer.compare(other.priority, one.priority);
		}
		int byDeadline = Long.compare(one.orderAt, other.orderAt);
		return (byDeadline != 0) ? byDeadline : Long.compare(one.lease.jobId(), other.lease.jobId());
	}

	/**
	 * Where later claims of its lane may begin, if it is the first of its claim, as
	 * {@link PostgresTime} counts: what is before it is gone or was skipped, and what was
	 * enqueued less than a second ago may not have been committed yet.
	 */
	public long mark() {
		return Math.max(PostgresTime.EARLIEST, Math.min(this.orderAt, this.leasedAt - PostgresTime.SECOND));
	}

	/** When it was due. */
	public Instant dueAt() {
		return PostgresTime.instant(this.runAt);
	}

	/** When it was enqueued. */
	public Instant enqueuedAt() {
		return PostgresTime.instant(this.createdAt);
	}

}
