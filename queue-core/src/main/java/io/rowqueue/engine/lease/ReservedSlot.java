package io.rowqueue.engine.lease;

/**
 * A slot that is reserved for a job of an open transaction. The slot itself is not
 * blocked: it runs other jobs as soon as there are any. Either {@link #start()} or
 * {@link #release()} must be called; neither of them fails.
 */
public interface ReservedSlot {

	/** The worker that has the slot. */
	long workerId();

	/** The job is leased to the worker if the transaction is committed. */
	void leased(ClaimedJob job);

	/**
	 * The transaction was committed: the job runs, or is queued if that took too long.
	 */
	void start();

	/**
	 * The job was not leased, or its transaction was not committed. If it was committed
	 * all the same, the worker finds a lease that it does not know, and releases it.
	 */
	void release();

}
