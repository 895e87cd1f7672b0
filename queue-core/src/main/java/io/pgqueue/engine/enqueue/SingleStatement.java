package io.pgqueue.engine.enqueue;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Work that is one statement, which PostgreSQL commits by itself. A transaction around it
 * would be a second round trip, and cost a caller without one nearly as much as the
 * statement does.
 *
 * @param dataSource the one that the statement goes over
 */
record SingleStatement(DataSource dataSource) {

	/** Whether nothing else goes on in this thread that it could get in the way of. */
	boolean isAlone() {
		return !TransactionSynchronizationManager.isSynchronizationActive()
				&& !TransactionSynchronizationManager.isActualTransactionActive()
				&& !TransactionSynchronizationManager.hasResource(this.dataSource);
	}

	/**
	 * Runs the work.
	 * @param otherwise runs it if connections do not commit by themselves
	 */
	<T> T run(Supplier<T> work, Supplier<T> otherwise) throws SQLException {
		Connection connection = DataSourceUtils.getConnection(this.dataSource);
		try {
			if (connection.getAutoCommit()) {
				return runOver(connection, work);
			}
		}
		finally {
			DataSourceUtils.releaseConnection(connection, this.dataSource);
		}
		return otherwise.get();
	}

	private <T> T runOver(Connection connection, Supplier<T> work) {
		TransactionSynchronizationManager.bindResource(this.dataSource, new ConnectionHolder(connection));
		try {
			return work.get();
		}
		finally {
			TransactionSynchronizationManager.unbindResource(this.dataSource);
		}
	}

}
