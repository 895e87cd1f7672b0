package io.pgqueue;

/**
 * What became of an enqueue.
 *
 * @param id the job that stands for the request: the new one, or the one that was there
 * @param outcome what was done
 * @since 0.1.0
 */
public record EnqueueResult(long id, Outcome outcome) {

	/** What an enqueue did. All but the first need a unique key. */
	public enum Outcome {

		/** A new job was stored. */
		CREATED,

		/** A job with the same unique key waits or runs; it was left as it is. */
		KEPT,

		/**
		 * A job with the same unique key has succeeded, and the key is still taken (see
		 * {@link JobRequest#uniqueFor}); nothing was stored.
		 */
		DONE,

		/** The job with the same unique key waited and was replaced. */
		REPLACED,

		/** The job with the same unique key waited and has the merged payload now. */
		MERGED,

		/**
		 * A worker has taken the job with the same unique key, or another transaction
		 * holds it; a new job was stored that is queued when that one is over. Until then
		 * it is found as scheduled.
		 */
		FOLLOW_UP

	}

	/**
	 * Whether a new job was stored, at once claimable or as a follow-up.
	 * @return {@code false} if the id is that of a job that was there before
	 */
	public boolean created() {
		return this.outcome == Outcome.CREATED || this.outcome == Outcome.FOLLOW_UP;
	}

}
