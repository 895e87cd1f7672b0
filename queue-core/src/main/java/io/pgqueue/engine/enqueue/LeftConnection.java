package io.pgqueue.engine.enqueue;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;

/**
 * The connection that a transaction which is over has not given back yet. It is used for
 * one more: threads that hold a connection each and wait for a second one may wait for
 * each other.
 */
record LeftConnection(Connection connection) {

	/** Runs the work in a transaction and leaves the connection's modes as they were. */
	<T> T commit(Supplier<T> work) throws SQLException {
		boolean readOnly = this.connection.isReadOnly();
		boolean autoCommit = this.connection.getAutoCommit();
		try {
			this.connection.setAutoCommit(false);
			if (readOnly) {
				this.connection.rollback(); // or it could not be changed
				this.connection.setReadOnly(false);
			}
			T result = work.get();
			this.connection.commit();
			return result;
		}
		catch (RuntimeException ex) {
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
