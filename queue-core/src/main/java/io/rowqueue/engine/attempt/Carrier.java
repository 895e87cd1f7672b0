package io.rowqueue.engine.attempt;

/**
 * Who answers for a job that was not claimed, until the database has its lease.
 */
public interface Carrier {

	/** Whether this worker has its lease in the database. */
	boolean isParked();

	/** Whether another process has its lease, or it has finished. */
	boolean isLost();

	/** Whether no other process can have got the job. */
	boolean isExclusive();

	/** Gives the database the lease of a job whose handler needs it, in its thread. */
	void park(ActiveJob job);

}
