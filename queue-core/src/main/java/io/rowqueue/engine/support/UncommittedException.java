package io.rowqueue.engine.support;

import org.springframework.dao.DataAccessResourceFailureException;

/**
 * The database could not be used before the commit of an enqueue was sent: nothing was
 * stored, and another database may store the job instead.
 */
public final class UncommittedException extends DataAccessResourceFailureException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param cause the error of a statement before the commit
	 */
	public UncommittedException(Throwable cause) {
		super("Nothing was stored: " + ErrorText.summaryOfRoot(cause), cause);
	}

}
