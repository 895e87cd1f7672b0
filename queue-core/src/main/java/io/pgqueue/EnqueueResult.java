package io.pgqueue;

/**
 * What became of an enqueue.
 *
 * @param id the job's id: of the new job, or of the one that already holds the unique key
 * @param outcome whether the job is new
 * @since 0.1.0
 */
public record EnqueueResult(long id, Outcome outcome) {

	/** What an enqueue did. */
	public enum Outcome {

		/** A new job was stored. */
		CREATED,

		/** A job with the same unique key is waiting or running; it was left as it is. */
		KEPT

	}

	/**
	 * Whether a new job was stored.
	 * @return {@code false} if another job holds the unique key
	 */
	public boolean created() {
		return this.outcome == Outcome.CREATED;
	}

}
