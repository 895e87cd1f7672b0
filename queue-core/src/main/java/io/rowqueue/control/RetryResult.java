package io.rowqueue.control;

/**
 * The result of a request to retry a failed job.
 *
 * @since 0.1.0
 */
public enum RetryResult {

	/** The job is queued again, with the full number of attempts. */
	QUEUED,

	/**
	 * The job has a limit key. It has the full number of attempts again, and is queued
	 * when the limit admits it.
	 */
	SCHEDULED,

	/**
	 * The job waits again for its predecessors. It failed because one of them did, and
	 * runs when that one was retried and has succeeded.
	 */
	BLOCKED,

	/** Another job with the same unique key waits or runs. This one stays failed. */
	KEY_TAKEN,

	/**
	 * The job belongs to a recurring job whose jobs do not overlap, and another one of
	 * them waits, runs or will be retried. This one stays failed.
	 */
	OVERLAPS,

	/**
	 * The job has failed, and has not recorded the step that it was to repeat. It stays
	 * failed.
	 */
	UNKNOWN_STEP,

	/** The job has not failed. */
	NOT_FAILED,

	/** The job does not exist, or is no longer kept. */
	NOT_FOUND;

	/** Returns whether the job was retried: it runs again now or after others. */
	public boolean isRetried() {
		return runsAgain() || this == BLOCKED;
	}

	/**
	 * Returns whether the job runs again without waiting for predecessors that failed.
	 */
	public boolean runsAgain() {
		return this == QUEUED || this == SCHEDULED;
	}

}
