package io.rowqueue;

/**
 * The result of an enqueue.
 *
 * @param id the id of the job for the request: a new job, or the existing one
 * @param outcome what the enqueue did
 * @since 0.1.0
 */
public record EnqueueResult(long id, Outcome outcome) {

	/** What an enqueue did. All values but the first require a unique key. */
	public enum Outcome {

		/** A new job was stored. */
		CREATED,

		/** A job with the same unique key waits or runs, and was not changed. */
		KEPT,

		/**
		 * A job with the same unique key has succeeded, and the key is still kept (see
		 * {@link JobRequest#uniqueFor}), or it has ended in any way, and the key is kept
		 * from its enqueue on (see {@link JobRequest#uniqueFromEnqueue}). Nothing was
		 * stored.
		 */
		DONE,

		/** The waiting job with the same unique key was replaced. */
		REPLACED,

		/** The waiting job with the same unique key now has the merged payload. */
		MERGED,

		/**
		 * A worker has claimed the job with the same unique key, or another transaction
		 * has locked it. A new job was stored, which is queued when that job has
		 * finished, and whose state is {@link JobState#SCHEDULED} until then.
		 */
		FOLLOW_UP

	}

	/**
	 * Returns whether a new job was stored, either claimable at once or as a follow-up.
	 * @return {@code false} if the id is that of an existing job
	 */
	public boolean created() {
		return this.outcome == Outcome.CREATED || this.outcome == Outcome.FOLLOW_UP;
	}

}
