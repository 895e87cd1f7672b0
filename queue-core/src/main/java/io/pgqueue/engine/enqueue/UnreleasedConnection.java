package io.pgqueue.engine.enqueue;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;

/**
 * The connection of a completed transaction that has not released it yet. It is used for
 * one more transaction, since threads that hold a connection and wait for a second one
 * may deadlock.
 */
record UnreleasedConnection(Connection connection) {

	/** Runs the work in a transaction, and restores the modes of the connection. */
	<T> T commit(Supplier<T> work) throws SQLException {
		boolean readOnly = this.connection.isReadOnly();
		boolean autoCommit = this.connection.getAutoCommit();
		try {
			this.connection.setAutoCommit(false);
			if (readOnly) {
				// the modes cannot be changed within a transaction
				this.connection.rollback();
				this.connection.setReadOnly(false);
			}
			T result = work.get();
			this.connection.commit();
			return result;
		}
		catch (Throwable ex) {
			// setAutoCommit would commit what was stored
			this.connection.rollback();
			throw ex;
		}
		finally {
			this.connection.setAutoCommit(autoCommit);
			if (readOnly) {
				this.connection.setReadOnly(true);
			}
		}
	}

}
