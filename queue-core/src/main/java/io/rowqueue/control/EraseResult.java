package io.rowqueue.control;

/**
 * The result of a request to erase a job.
 *
 * @since 0.1.0
 */
public enum EraseResult {

	/** The job and all its traces are deleted. */
	ERASED,

	/**
	 * A worker holds the job, and will be notified within about a second. Erase the job
	 * again when it has ended.
	 */
	REQUESTED,

	/** The job does not exist, or is no longer kept. */
	NOT_FOUND

}
