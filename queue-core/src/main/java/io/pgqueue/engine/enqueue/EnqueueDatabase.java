package io.pgqueue.engine.enqueue;

import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.flow.BatchStore;
import io.pgqueue.engine.job.EnqueueStore;
import io.pgqueue.engine.job.JobStore;
import io.pgqueue.engine.lease.KeptJobs;
import io.pgqueue.engine.signal.SignalStore;
import io.pgqueue.engine.window.WindowStore;

/**
 * The stores that a queue uses.
 *
 * @param jobs stores jobs and flows
 * @param batches stores batches
 * @param stored reads jobs
 * @param signals sends signals
 * @param windows reads when queues and types run
 * @param oneOfSeveral whether there are other databases that can store a job instead
 */
public record EnqueueDatabase(EnqueueStore jobs, BatchStore batches, JobStore stored, SignalStore signals,
		WindowStore windows, boolean oneOfSeveral) {

	/**
	 * Creates the stores.
	 * @param application the database as the application sees it
	 * @param worker the database as workers see it
	 * @param kept which succeeded jobs are kept
	 * @param oneOfSeveral whether there are other databases that can store a job instead
	 */
	public EnqueueDatabase(QueueDatabase application, QueueDatabase worker, KeptJobs kept, boolean oneOfSeveral) {
		this(new EnqueueStore(application, kept), new BatchStore(application, worker, kept),
				new JobStore(application, worker), new SignalStore(application), new WindowStore(worker), oneOfSeveral);
	}

}
