package io.rowqueue.lab.verify.verdict;

/**
 * Something that must not be.
 *
 * @param kind what it is
 * @param text with everything that is known about it
 */
public record Finding(Kind kind, String text) {

	/** What a finding is. */
	public enum Kind {

		/** A job whose enqueue was acknowledged did not run to its end. */
		LOST("lost"),

		/** A job ran although its transaction was rolled back. */
		GHOST("ran although rolled back"),

		/**
		 * A job was stored twice, or without having been asked for, or part of a batch.
		 */
		STORED("stored differently than enqueued"),

		/** An enqueue failed although nothing was done to the database. */
		REFUSED("enqueues that failed without a reason"),

		/** Far fewer jobs were enqueued than were to be. */
		LOAD("missing load"),

		/** A job ran again, and no fault explains it. */
		UNEXPLAINED("ran again without a reason"),

		/** A success was recorded that the holder of the lease did not report. */
		STALE_ACCEPTED("stale completions accepted"),

		/** What a transactional handler wrote is there more than once, or not at all. */
		EFFECT("effects not exactly once"),

		/** A job that combines features broke the promise of one of them. */
		PROMISE("broken promises of features"),

		/** The queue did not recover without a manual step. */
		MANUAL("manual steps");

		private final String title;

		Kind(String title) {
			this.title = title;
		}

		/** For people. */
		public String title() {
			return this.title;
		}

	}

}
