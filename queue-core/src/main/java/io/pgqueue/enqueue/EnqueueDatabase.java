package io.pgqueue.enqueue;

import io.pgqueue.store.BatchStore;
import io.pgqueue.store.EnqueueStore;
import io.pgqueue.store.JobStore;
import io.pgqueue.store.KeptJobs;
import io.pgqueue.store.QueueDatabase;
import io.pgqueue.store.WindowStore;

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
