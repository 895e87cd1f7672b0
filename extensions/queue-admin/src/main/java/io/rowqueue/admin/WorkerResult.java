package io.rowqueue.admin;

/**
 * The result of a request to change a worker.
 *
 * @since 0.1.0
 */
public enum WorkerResult {

	/** The worker will notice the change with its next heartbeat. */
	REQUESTED,

	/** The worker is in the requested state already, or was requested to change to it. */
	UNCHANGED,

	/** The worker has no slots of its own for the queue. */
	NO_SUCH_SLOTS,

	/**
	 * There is no live worker with this id: its process has stopped it, or the others
	 * have declared it dead.
	 */
	NOT_FOUND

}
