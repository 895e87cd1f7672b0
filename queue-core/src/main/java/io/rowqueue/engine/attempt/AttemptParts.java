package io.rowqueue.engine.attempt;

import io.rowqueue.engine.database.JobTransactions;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.lease.LeaseStore;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.wakeup.JobEndings;
import io.rowqueue.engine.wakeup.WakeUps;
import org.jspecify.annotations.Nullable;

/**
 * What attempts use of a process.
 *
 * @param handlers run the jobs
 * @param database what handlers use while they run
 * @param leases keeps what is known of jobs that run
 * @param transactions what transactional handlers run in; {@code null}: there are none
 * @param wakeUps notified of jobs that the end of a job has released
 * @param endings notified of attempts that have ended
 * @param listener notified of recorded steps
 */
public record AttemptParts(HandlerRegistry handlers, RunDatabase database, LeaseStore leases,
		@Nullable JobTransactions transactions, WakeUps wakeUps, JobEndings endings, StoreListener listener) {

	/**
	 * The same parts, whose handlers join the transaction of the calling thread.
	 * @param steps notified of recorded steps instead
	 */
	public AttemptParts joining(StoreListener steps) {
		return new AttemptParts(this.handlers, this.database, this.leases,
				(this.transactions != null) ? this.transactions.joining() : null, this.wakeUps, this.endings, steps);
	}

}
