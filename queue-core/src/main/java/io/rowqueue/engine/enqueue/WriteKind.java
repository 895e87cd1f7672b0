package io.rowqueue.engine.enqueue;

/**
 * What an enqueue writes before it may be rejected. A caller may catch the exception and
 * commit its transaction, which must then contain nothing of the enqueue. No transaction
 * can be committed after an error of the database.
 */
enum WriteKind {

	/** One statement, which writes all or nothing. */
	ONE_STATEMENT,

	/** Several statements, all of them after everything that can be rejected. */
	AFTER_CHECKS,

	/**
	 * Several statements, some of them before something that can be rejected: they need a
	 * savepoint, and with it two round trips more, in the caller's transaction.
	 */
	UNTIL_REJECTED

}
