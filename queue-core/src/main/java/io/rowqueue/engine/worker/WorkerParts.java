package io.rowqueue.engine.worker;

import java.util.Set;
import java.util.concurrent.ThreadFactory;

import javax.sql.DataSource;

import io.rowqueue.RetryPolicy;
import io.rowqueue.engine.attempt.AttemptParts;
import io.rowqueue.engine.attempt.WorkerHooks;
import io.rowqueue.engine.database.JobTransactions;
import io.rowqueue.engine.database.JoinedTransaction;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.wakeup.JobEndings;
import io.rowqueue.engine.wakeup.WakeUps;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * What a worker is made of.
 *
 * @param databases the database
 * @param caller the transaction of the application that a thread is in
 * @param kept which succeeded jobs are kept
 * @param dataSource the worker's own connections
 * @param listener how it listens for notifications
 * @param wakeUps notifies of jobs that this process enqueues
 * @param endings notified of attempts that have ended
 * @param handlers run the jobs
 * @param retryPolicy decides when a failed job is tried again
 * @param transactions what transactional handlers run in; {@code null}: there are none
 * @param threads makes the threads that handlers run in
 * @param settings how the worker works
 * @param hooks who else takes part
 * @param declarations what the application declares, such as {@code schedule:report}
 * @param directStart where the worker offers its idle slots to the enqueues of this
 * process
 * @param part gives the worker jobs that it does not claim
 */
public record WorkerParts(QueueDatabases databases, JoinedTransaction caller, KeptJobs kept, DataSource dataSource,
		ListenerSettings listener, WakeUps wakeUps, JobEndings endings, HandlerRegistry handlers,
		RetryPolicy retryPolicy, @Nullable JobTransactions transactions, ThreadFactory threads, WorkerSettings settings,
		WorkerHooks hooks, Set<String> declarations, DirectStart directStart, WorkerPart.Factory part) {

	/**
	 * Checks the handlers.
	 * @throws IllegalArgumentException if one is transactional and there are no
	 * transactions
	 * @throws io.rowqueue.engine.handler.InvalidJobHandlerException if the part cannot
	 * give the jobs of one
	 */
	public WorkerParts {
		Assert.isTrue(
				transactions != null
						|| handlers.handlers().stream().noneMatch((each) -> each.options().transactional()),
				"transactional handlers need transactions");
		part.check(handlers);
	}

	/** Returns what its attempts use. */
	public AttemptParts attempts() {
		return new AttemptParts(this.handlers, this.databases, this.caller, this.kept, this.transactions,
				this.hooks.store());
	}

}
