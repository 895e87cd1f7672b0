package io.rowqueue.engine.enqueue;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.flow.BatchStore;
import io.rowqueue.engine.job.EnqueueStore;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.signal.SignalStore;
import io.rowqueue.engine.window.WindowStore;

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
