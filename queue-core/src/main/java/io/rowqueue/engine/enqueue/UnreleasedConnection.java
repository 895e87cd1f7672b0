package io.rowqueue.engine.enqueue;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;

import io.rowqueue.engine.database.IsolationStatement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of a completed transaction that has not released it yet. It is used for
 * one more transaction, since threads that hold a connection and wait for a second one
 * may deadlock.
 *
 * @param connection the connection
 * @param isolation that of the further transaction
 */
record UnreleasedConnection(Connection connection, IsolationStatement isolation) {

	private static final Logger logger = LoggerFactory.getLogger(UnreleasedConnection.class);

	/**
	 * Runs the work in a transaction, and restores the modes of the connection. What is
	 * thrown says why the work was not stored, and not that the connection is lost since.
	 */
	<T> T commit(Supplier<T> work) throws SQLException {
		boolean readOnly = this.connection.isReadOnly();
		boolean autoCommit = this.connection.getAutoCommit();
		T result;
		try {
			this.connection.setAutoCommit(false);
			if (readOnly) {
				// the modes cannot be changed within a transaction
				this.connection.rollback();
				this.connection.setReadOnly(false);
			}
			this.isolation.executeAfterCompletion(this.connection);
			result = work.get();
			this.connection.commit();
		}
		catch (Throwable ex) {
			try {
				// setAutoCommit would commit what was stored
				this.connection.rollback();
				restore(autoCommit, readOnly);
			}
			catch (SQLException lost) {
				ex.addSuppressed(lost);
			}
			throw ex;
		}
		try {
			restore(autoCommit, readOnly);
		}
		catch (SQLException ex) {
			logger.debug("The connection was lost after a commit", ex); // its owner will
																		// see
		}
		return result;
	}

	private void restore(boolean autoCommit, boolean readOnly) throws SQLException {
		this.connection.setAutoCommit(autoCommit);
		if (readOnly) {
			this.connection.setReadOnly(true);
		}
	}

}
