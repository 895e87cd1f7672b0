package io.pgqueue.admin;

/**
 * What became of a request to retry a failed job.
 *
 * @since 0.1.0
 */
public enum RetryResult {

	/** The job is queued again, with all its attempts before it. */
	QUEUED,

	/**
	 * The job has a limit key. It has all its attempts before it again, and is queued
	 * when the limit admits it.
	 */
	SCHEDULED,

	/**
	 * The job waits again for those that it is to run after: it failed because one of
	 * them did, and runs when that one was retried and has succeeded.
	 */
	BLOCKED,

	/** Another job with the same unique key waits or runs; this one stays failed. */
	KEY_TAKEN,

	/** There is no such job, or it is not failed. */
	NOT_FAILED;

	/** Whether the job runs again without waiting for others that failed. */
	public boolean runsAgain() {
		return this == QUEUED || this == SCHEDULED;
	}

}
