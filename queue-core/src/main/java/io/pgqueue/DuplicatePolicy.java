package io.pgqueue;

import java.util.function.BinaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * What an enqueue does when another job has its unique key. Jobs with one key stand in
 * line: one that waits or runs, and behind one that runs a <em>follow-up</em>, which is
 * queued when the job before it is over: succeeded, failed for good or cancelled. A
 * policy is about the last one in line.
 * <p>
 * A key that is still taken after a success ({@link JobRequest#uniqueFor}) refuses every
 * enqueue, whatever its policy.
 *
 * @see JobRequest#duplicates(DuplicatePolicy)
 * @see EnqueueResult.Outcome
 * @since 0.1.0
 */
public sealed interface DuplicatePolicy {

	/**
	 * Leaves the job that is there as it is, and does not enqueue another. This is the
	 * default. The job is not locked: it may run and end before the transaction of the
	 * enqueue commits, so that no run has seen what this transaction changes.
	 * @return the policy
	 */
	static DuplicatePolicy keep() {
		return new Keep();
	}

	/**
	 * Gives a job that waits everything that is asked for: type, payload, queue,
	 * priority, time, tolerance, attempts, how long the key is kept. It keeps its id, and
	 * attempts begin anew. A job that a worker has taken is left alone and gets a
	 * follow-up.
	 * @return the policy
	 */
	static DuplicatePolicy replace() {
		return new Replace();
	}

	/**
	 * Runs again after a job that a worker has taken: it gets a follow-up, unless it has
	 * one. A job that waits is left as it is: it has yet to run. No worker takes it
	 * before the transaction of the enqueue has ended, so that its run sees what this
	 * transaction changes. If another such transaction does the same at this moment, the
	 * job gets a follow-up.
	 * @return the policy
	 */
	static DuplicatePolicy runAgain() {
		return new RunAgain();
	}

	/**
	 * Combines the payload of a job that waits with the new one; all else of it stays. A
	 * job that a worker has taken is left alone and gets a follow-up with the new
	 * payload.
	 * <p>
	 * The function runs in the transaction of the enqueue while no worker can take the
	 * job, so it should be quick and without effects. What it throws is thrown by the
	 * enqueue.
	 * @param type what both payloads are
	 * @param merge makes one payload of the existing and the new one; {@code null} stands
	 * for no payload
	 * @param <T> the type of the payloads
	 * @return the policy
	 */
	static <T> DuplicatePolicy merge(Class<T> type, BinaryOperator<@Nullable T> merge) {
		return new Merge<>(type, merge);
	}

	/** Leaves the job that is there as it is. */
	record Keep() implements DuplicatePolicy {

	}

	/** Replaces a job that waits. */
	record Replace() implements DuplicatePolicy {

	}

	/** Runs once more after a job that was taken. */
	record RunAgain() implements DuplicatePolicy {

	}

	/**
	 * Merges the payloads.
	 *
	 * @param type what both payloads are
	 * @param merge makes one payload of the existing and the new one
	 * @param <T> the type of the payloads
	 */
	record Merge<T>(Class<T> type, BinaryOperator<@Nullable T> merge) implements DuplicatePolicy {

	}

}
