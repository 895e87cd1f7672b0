package io.rowqueue;

/**
 * Rejects a job because another one has its unique key, see
 * {@link DuplicatePolicy#reject()}.
 *
 * @since 0.1.0
 */
public class DuplicateJobException extends JobQueueException {

	private final long jobId;

	/**
	 * Creates the exception.
	 * @param uniqueKey the unique key
	 * @param jobId the id of the job that has it
	 */
	public DuplicateJobException(String uniqueKey, long jobId) {
		super("Job " + jobId + " already has the unique key '" + uniqueKey + "'");
		this.jobId = jobId;
	}

	/** Returns the id of the job that has the unique key, or keeps it. */
	public long jobId() {
		return this.jobId;
	}

}
