package io.rowqueue.engine.operation;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Changes of many jobs, all in one transaction. Each method returns the jobs that it has
 * changed. Of several jobs, it leaves out those that another transaction has locked, and
 * those that cannot be changed together with others: call it for each of them alone,
 * which does what the method of the same name of {@link io.rowqueue.control.JobControl}
 * does.
 */
public interface JobChanges {

	/**
	 * Queues failed jobs again.
	 * @param rejected receives those of several that cannot be queued again now, alone
	 * neither
	 */
	Set<Long> retry(List<Long> ids, LongConsumer rejected);

	/** Cancels jobs, or asks the worker of a single one to stop it. */
	Set<Long> cancel(List<Long> ids);

	/** Erases jobs. */
	Set<Long> erase(List<Long> ids);

	/** Changes the due time of waiting jobs. */
	Set<Long> reschedule(List<Long> ids, Duration delay);

	/** Changes the priority of waiting jobs. */
	Set<Long> prioritize(List<Long> ids, int priority);

}
