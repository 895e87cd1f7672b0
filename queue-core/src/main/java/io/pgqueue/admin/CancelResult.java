package io.pgqueue.admin;

/**
 * What became of a request to cancel a job.
 *
 * @since 0.1.0
 */
public enum CancelResult {

	/** The job was waiting, or had failed, and is cancelled now. */
	CANCELLED,

	/**
	 * A worker holds the job. It is told within about a second, and ends as cancelled if
	 * its handler answers the interrupt; a handler that returns normally has succeeded.
	 */
	REQUESTED,

	/** There is no such job, or it is over. */
	NOT_FOUND

}
