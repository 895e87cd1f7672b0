package io.rowqueue.lab.verify.ledger;

/** What happened to a job, as the one who did it saw it. */
public enum Event {

	/** The producer is about to enqueue. */
	TRIED,

	/** The enqueue was committed: from now on the job must not be lost. */
	ACKNOWLEDGED,

	/** The enqueue failed; it is unknown whether it was committed. */
	UNKNOWN,

	/**
	 * The transaction of the enqueue was rolled back on purpose, or another job has the
	 * key: the job must not run.
	 */
	ROLLED_BACK,

	/** A worker process takes jobs from now on. */
	READY,

	/** A handler began. */
	BEGUN,

	/** A handler is about to return. */
	ENDED,

	/** A handler is about to fail on purpose. */
	FAILED,

	/** A handler is about to throw an unexpected exception. */
	BROKEN,

	/** A handler was interrupted. */
	INTERRUPTED,

	/** A handler could not write to the database what it had to. */
	CUT_OFF

}
