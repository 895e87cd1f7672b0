package io.rowqueue.engine.lease;

import java.time.Instant;
import java.util.Comparator;

import io.rowqueue.engine.database.PostgresTime;
import org.jspecify.annotations.Nullable;

/**
 * A job with the lease under which it may run.
 *
 * @param lease the lease
 * @param type the type
 * @param queue the queue
 * @param priority the priority; jobs with a higher number start first
 * @param attempt the number of this attempt, starting with 1
 * @param maxAttempts the maximum number of attempts, or {@code null} for the worker's
 * default
 * @param runAt when the job was due, in the unit of {@link PostgresTime}
 * @param orderAt its deadline, in the same unit
 * @param createdAt when it was enqueued, in the same unit
 * @param leasedAt when it was claimed, in the same unit
 * @param cancelRequested whether it must be cancelled and not run
 * @param payload the payload as JSON; {@code null} if there is none or it is deferred
 * @param payloadDeferred whether the payload is so large that it is not read before the
 * job runs
 * @param headers the headers as JSON, or {@code null}
 * @param limitKey the limit key, or {@code null}
 * @param claimId the id of its claim, see {@link Claimed#claimId()}; 0 if unknown
 */
public record ClaimedJob(Lease lease, String type, String queue, int priority, int attempt,
		@Nullable Integer maxAttempts, long runAt, long orderAt, long createdAt, long leasedAt, boolean cancelRequested,
		@Nullable String payload, boolean payloadDeferred, @Nullable String headers, @Nullable String limitKey,
		long claimId) {

	/**
	 * How many leases of a job end without costing an attempt, although it may have run:
	 * what happens to it each time costs attempts from then on.
	 */
	public static final int MAX_FREE_LEASES = 20;

	/** By priority, then by deadline. */
	public static final Comparator<ClaimedJob> MOST_URGENT_FIRST = ClaimedJob::compareUrgency;

	private static int compareUrgency(ClaimedJob one, ClaimedJob other) {
		if (one.priority != other.priority) {
			return Integer.compare(other.priority, one.priority);
		}
		int byDeadline = Long.compare(one.orderAt, other.orderAt);
		return (byDeadline != 0) ? byDeadline : Long.compare(one.lease.jobId(), other.lease.jobId());
	}

	/**
	 * Returns where later claims of its lane may begin if this is the first job of its
	 * claim, in the unit of {@link PostgresTime}. All jobs before it have ended or were
	 * skipped; jobs that were enqueued less than a second ago may not have been committed
	 * yet.
	 */
	public long mark() {
		return Math.max(PostgresTime.EARLIEST, Math.min(this.orderAt, this.leasedAt - PostgresTime.SECOND));
	}

	/** Returns when the job was due. */
	public Instant dueAt() {
		return PostgresTime.instant(this.runAt);
	}

	/** Returns when the job was claimed. */
	public Instant claimedAt() {
		return PostgresTime.instant(this.leasedAt);
	}

	/** Returns when the job was enqueued. */
	public Instant enqueuedAt() {
		return PostgresTime.instant(this.createdAt);
	}

	/** Returns how many leases of the job have ended without costing an attempt. */
	public int freeLeases() {
		return this.lease.token() - this.attempt;
	}

}
