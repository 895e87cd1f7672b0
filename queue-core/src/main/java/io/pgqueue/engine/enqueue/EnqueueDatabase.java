package io.pgqueue.engine.enqueue;

import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.flow.BatchStore;
import io.pgqueue.engine.job.EnqueueStore;
import io.pgqueue.engine.job.JobStore;
import io.pgqueue.engine.lease.KeptJobs;
import io.pgqueue.engine.window.WindowStore;

/**
 * What a queue has of the database.
 *
 * @param jobs stores jobs and flows
 * @param batches stores batches
 * @param stored reads jobs
 * @param windows tells when queues and types are run
 */
public record EnqueueDatabase(EnqueueStore jobs, BatchStore batches, JobStore stored, WindowStore windows) {

	/**
	 * In a database as the application and workers see it.
	 * @param application where the application sees the queue
	 * @param worker where workers see the queue
	 * @param kept which succeeded jobs are kept
	 */
	public EnqueueDatabase(QueueDatabase application, QueueDatabase worker, KeptJobs kept) {
		this(new EnqueueStore(application, kept), new BatchStore(application, worker, kept),
				new JobStore(application, worker), new WindowStore(worker));
	}

}
