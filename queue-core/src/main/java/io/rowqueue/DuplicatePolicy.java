package io.rowqueue;

import java.time.Duration;
import java.util.function.BinaryOperator;

import io.rowqueue.engine.support.RequestChecks;
import org.jspecify.annotations.Nullable;

/**
 * Decides what an enqueue does if another job has its unique key. At most two jobs have
 * the same key: one that waits or runs, and a <em>follow-up</em> behind one that runs,
 * which is queued when that job has succeeded, failed permanently or been cancelled. A
 * policy applies to the last of them.
 * <p>
 * While a key is kept after a success ({@link JobRequest#uniqueFor}), no job with this
 * key is enqueued, whatever the policy.
 *
 * @see JobRequest#duplicates(DuplicatePolicy)
 * @see EnqueueResult.Outcome
 * @since 0.1.0
 */
public sealed interface DuplicatePolicy {

	/**
	 * Does not change the existing job, and does not enqueue another one. This is the
	 * default. The existing job is not locked: it may run and finish before the
	 * transaction of the enqueue commits, and then none of its runs has seen the changes
	 * of this transaction.
	 * @return the policy
	 */
	static DuplicatePolicy keep() {
		return new Keep();
	}

	/**
	 * Replaces a waiting job: its type, payload, queue, priority, due time, tolerance,
	 * maximum attempts, limit key, tags, headers, expiry and {@code onFailure}, and how
	 * long its key is kept. The job keeps its id and begins anew: its attempts are
	 * counted from the beginning, and the steps, waits and signals of the replaced
	 * request are forgotten. A job that a worker has claimed is not changed, and gets a
	 * follow-up.
	 * @return the policy
	 */
	static DuplicatePolicy replace() {
		return new Replace(null);
	}

	/**
	 * Replaces a waiting job as {@link #replace()} does, but does not postpone it further
	 * than some time after it was enqueued first, so that frequent enqueues with a delay
	 * cannot keep it from running.
	 * @param atMost the maximum time from the first enqueue until the job is due, by the
	 * database's clock
	 * @return the policy
	 * @throws IllegalArgumentException if the time is negative or more than 365000 days
	 */
	static DuplicatePolicy replace(Duration atMost) {
		RequestChecks.duration("atMost", atMost);
		return new Replace(atMost);
	}

	/**
	 * Ensures that a run starts after this enqueue: a job that a worker has claimed gets
	 * a follow-up, unless it has one. A waiting job is not changed, since it has yet to
	 * run. No worker claims it before the transaction of the enqueue has ended, so that
	 * its run sees the changes of this transaction. If another transaction does the same
	 * at this moment, the job gets a follow-up. So does a job that has recorded steps,
	 * which its run does not repeat.
	 * @return the policy
	 */
	static DuplicatePolicy runAgain() {
		return new RunAgain();
	}

	/**
	 * Merges the payload of a waiting job with the new one, and changes nothing else. A
	 * job that a worker has claimed, or that has recorded steps, is not changed, and gets
	 * a follow-up with the new payload.
	 * <p>
	 * The function runs in the transaction of the enqueue while no worker can claim the
	 * job, so it should be fast and free of side effects. The enqueue throws what the
	 * function throws.
	 * @param type the class of both payloads
	 * @param merge combines the existing payload and the new one, in this order;
	 * {@code null} means no payload
	 * @param <T> the type of the payloads
	 * @return the policy
	 */
	static <T> DuplicatePolicy merge(Class<T> type, BinaryOperator<@Nullable T> merge) {
		return new Merge<>(type, merge);
	}

	/**
	 * Rejects the enqueue with a {@link DuplicateJobException}. The existing job is not
	 * locked.
	 * @return the policy
	 */
	static DuplicatePolicy reject() {
		return new Reject();
	}

	/** Does not change the existing job. */
	record Keep() implements DuplicatePolicy {

	}

	/**
	 * Replaces a waiting job.
	 *
	 * @param atMost how long after its first enqueue the job is due at the latest;
	 * {@code null}: as the latest request says
	 */
	record Replace(@Nullable Duration atMost) implements DuplicatePolicy {

	}

	/** Adds a follow-up to a job that was claimed. */
	record RunAgain() implements DuplicatePolicy {

	}

	/** Rejects the enqueue. */
	record Reject() implements DuplicatePolicy {

	}

	/**
	 * Merges the payloads.
	 *
	 * @param type the class of both payloads
	 * @param merge combines the existing payload and the new one
	 * @param <T> the type of the payloads
	 */
	record Merge<T>(Class<T> type, BinaryOperator<@Nullable T> merge) implements DuplicatePolicy {

	}

}
