package io.rowqueue.engine.attempt;

/** When a transactional job lost its database, through no fault of its handler. */
public enum ConnectionLoss {

	/** No transaction could be begun: the handler was not called. */
	BEFORE_THE_HANDLER,

	/**
	 * The job could not be ended, or the answer to the commit was lost: the transaction
	 * may have been committed.
	 */
	AFTER_THE_HANDLER

}
