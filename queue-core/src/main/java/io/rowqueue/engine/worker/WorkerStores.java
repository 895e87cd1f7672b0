package io.rowqueue.engine.worker;

import io.rowqueue.engine.attempt.RunDatabase;
import io.rowqueue.engine.claim.ClaimDatabase;
import io.rowqueue.engine.database.JoinedTransaction;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.finish.LeaseDatabase;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.listen.StoreListener;

/**
 * What a worker has of the database.
 *
 * @param claims what it claims jobs with
 * @param leases what it writes about the jobs that it holds
 * @param runs what handlers use while they run
 */
public record WorkerStores(ClaimDatabase claims, LeaseDatabase leases, RunDatabase runs) {

	/**
	 * In a database as the application and workers see it.
	 * @param application where the application sees the queue
	 * @param worker where workers see the queue
	 * @param kept which succeeded jobs are kept
	 * @param caller the transaction of the application that a thread is in
	 * @param listener notified of the claims
	 */
	public WorkerStores(QueueDatabase application, QueueDatabase worker, KeptJobs kept, JoinedTransaction caller,
			StoreListener listener) {
		this(new ClaimDatabase(worker, listener), new LeaseDatabase(worker, kept),
				new RunDatabase(application, worker, kept, caller));
	}

}
