package io.rowqueue.engine.database;

/** The tables of a database that may not be available when the application starts. */
public interface PendingTables {

	/** The name of the thread that tries the home shard again. */
	String HOME_LOOP = "rowqueue-shards";

	/** Whether the database has not been available yet. */
	boolean isPending();

	/**
	 * Creates or checks the tables if the database was not available before.
	 * @throws io.rowqueue.JobQueueException if the queue cannot work with the database,
	 * or it is still not available
	 */
	void initializePending();

}
