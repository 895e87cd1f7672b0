package io.rowqueue.control;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import io.rowqueue.Job;
import org.jspecify.annotations.Nullable;

/**
 * A job that is named by its id or its unique key, to find and change it in the
 * transaction of the caller:
 *
 * <pre class="code">
 * &#64;Transactional
 * void cancelOrder(long id) {
 *     orders.cancel(id);
 *     control.job("reminder of order " + id).cancel();
 * }
 * </pre>
 *
 * Changes become visible with the commit, and a rollback undoes them. Without a
 * transaction, each change commits separately. A transaction keeps the jobs that it has
 * changed locked: transactions that change several jobs should do so in one order, such
 * as that of their ids, or two of them can deadlock.
 * <p>
 * A unique key names the jobs that have it when a method is called: the one that waits or
 * runs, and the follow-ups behind it. A job that has failed permanently has released its
 * key. Jobs that other transactions have not committed are not found, nor are those that
 * were committed after the snapshot of a transaction with {@code REPEATABLE READ} or
 * higher; such a transaction fails if a job was claimed or changed since its snapshot.
 *
 * @see JobControl#job(String)
 * @since 0.1.0
 */
public interface JobReference {

	/**
	 * Finds the job. With a unique key, this is the job that waits or runs, and only
	 * without one the first follow-up.
	 * @return a snapshot of the job; empty if there is none
	 */
	Optional<Job> find();

	/**
	 * Cancels the job, as {@link JobControl#cancel} does. With a unique key, follow-ups
	 * are cancelled, too.
	 * @return {@link CancelResult#REQUESTED} if a worker holds the job: in a transaction,
	 * the worker is notified within about two seconds after the commit
	 */
	CancelResult cancel();

	/**
	 * Changes the due time of the job if it waits. With a unique key, this is the last
	 * job that has it.
	 * @param delay the time from now until the job is due, by the database's clock, at
	 * most 365000 days
	 * @return whether the job was waiting
	 */
	boolean reschedule(Duration delay);

	/**
	 * Changes the due time of the job if it waits, see {@link #reschedule(Duration)}.
	 * @param runAt the time by the database's clock, which may have passed
	 * @return whether the job was waiting
	 */
	boolean reschedule(Instant runAt);

	/**
	 * Changes the priority of the job if it waits. With a unique key, this is the last
	 * job that has it.
	 * @param priority from -32768 to 32767; jobs with a higher number start first
	 * @return whether the job was waiting
	 */
	boolean prioritize(int priority);

	/**
	 * Replaces the payload of the job if it waits. With a unique key, this is the last
	 * job that has it.
	 * @param payload the new argument of the handler, which is stored as JSON, or
	 * {@code null}
	 * @return whether the job was waiting
	 * @throws IllegalArgumentException if the reference has a type and the payload is of
	 * another class
	 * @throws io.rowqueue.PayloadConversionException if the payload cannot be written as
	 * JSON or is too large
	 */
	boolean replacePayload(@Nullable Object payload);

}
