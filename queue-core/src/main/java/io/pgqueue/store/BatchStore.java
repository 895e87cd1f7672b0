package io.pgqueue.store;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import io.pgqueue.Batch.Event;
import io.pgqueue.BatchProgress;
import io.pgqueue.EnqueueResult;

/**
 * Batches of jobs. What changes them takes part in the transaction of the calling thread.
 * All methods throw {@link org.springframework.dao.DataAccessException} when the database
 * refuses or is away.
 */
public final class BatchStore {

	private final BatchStatement batch;

	private final BatchStatement committed;

	/**
	 * Creates the store.
	 * @param application where the application sees the queue
	 * @param worker where workers see the queue
	 * @param kept which succeeded jobs are kept
	 */
	public BatchStore(QueueDatabase application, QueueDatabase worker, KeptJobs kept) {
		this.batch = new BatchStatement(application, kept);
		this.committed = new BatchStatement(worker, kept);
	}

	/**
	 * Stores a batch without jobs. Needs a transaction.
	 * @param name the name of the batch
	 * @param open whether it waits to be closed
	 * @param events when each of the callbacks runs
	 * @param callbacks the jobs that run when it is over
	 * @return the id of the batch
	 */
	public long create(String name, boolean open, List<Event> events, List<NewJob> callbacks) {
		return this.batch.create(name, open, events, callbacks);
	}

	/**
	 * Keeps a batch from being over until the transaction ends.
	 * @throws io.pgqueue.JobQueueException if it is over, or there is none
	 */
	public void hold(long id) {
		this.batch.hold(id);
	}

	/** Stores jobs of a batch that is held or new; one result for each, in order. */
	public List<EnqueueResult> add(long id, List<NewJob> jobs) {
		return this.batch.add(id, jobs);
	}

	/** Lets a batch be over when its jobs are; returns whether it was open. */
	public boolean close(long id) {
		return this.batch.close(id);
	}

	/** How far a batch is. */
	public Optional<BatchProgress> find(long id) {
		return this.batch.find(id);
	}

	/** The batch that a job is in, or runs after. */
	public OptionalLong ofJob(long jobId) {
		return this.committed.ofJob(jobId);
	}

}
