package io.rowqueue.engine.admin;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.lease.JobLogStore;

/**
 * What administration changes, and what it reads about jobs beside their rows.
 *
 * @param changes where changes are made
 * @param jobs changes jobs that have not finished
 * @param failed retries jobs that have failed
 * @param pauses pauses queues and types
 * @param keys finds jobs by their unique keys, and releases keys
 * @param workers writes what administrators want of workers
 * @param logs reads the logs of jobs
 */
public record AdminDatabase(ChangeScope changes, AdminStore jobs, FailedJobStore failed, PauseStore pauses,
		KeyStore keys, WorkerWishStore workers, JobLogStore logs) {

	/**
	 * Creates stores whose changes have transactions of their own.
	 * @param database runs each statement in a separate transaction
	 */
	public AdminDatabase(QueueDatabase database) {
		this(database, ChangeScope.separate(database));
	}

	/**
	 * Creates the stores.
	 * @param database runs each statement in a separate transaction
	 * @param changes where changes are made
	 */
	public AdminDatabase(QueueDatabase database, ChangeScope changes) {
		this(changes, new AdminStore(database, changes), new FailedJobStore(database, changes),
				new PauseStore(database, changes), new KeyStore(changes), new WorkerWishStore(database),
				new JobLogStore(database));
	}

}
