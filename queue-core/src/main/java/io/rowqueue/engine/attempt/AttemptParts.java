package io.rowqueue.engine.attempt;

import io.rowqueue.engine.database.JobTransactions;
import io.rowqueue.engine.database.JoinedTransaction;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.listen.StoreListener;
import org.jspecify.annotations.Nullable;

/**
 * What attempts use of a process.
 *
 * @param handlers run the jobs
 * @param databases the database
 * @param caller the transaction of the application that a thread is in
 * @param kept which succeeded jobs are kept
 * @param transactions what transactional handlers run in; {@code null}: there are none
 * @param listener notified of recorded steps
 */
public record AttemptParts(HandlerRegistry handlers, QueueDatabases databases, JoinedTransaction caller, KeptJobs kept,
		@Nullable JobTransactions transactions, StoreListener listener) {

	/**
	 * The same parts, whose handlers join the transaction of the calling thread.
	 * @param steps notified of recorded steps instead
	 */
	public AttemptParts joining(StoreListener steps) {
		return new AttemptParts(this.handlers, this.databases, this.caller, this.kept,
				(this.transactions != null) ? this.transactions.joining() : null, steps);
	}

}
