package io.rowqueue.control;

/**
 * The result of a request to cancel a job.
 *
 * @since 0.1.0
 */
public enum CancelResult {

	/** The job was waiting or had failed, and is now cancelled. */
	CANCELLED,

	/**
	 * A worker holds the job, and will be notified within about a second. The job is
	 * cancelled if its handler ends because of the interruption; if the handler returns
	 * normally, the job has succeeded.
	 */
	REQUESTED,

	/** The job does not exist, or has succeeded or been cancelled already. */
	NOT_FOUND

}
