package io.rowqueue.engine.enqueue;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.rowqueue.engine.database.IsolationStatement;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Work that is a single statement, which PostgreSQL commits itself. An explicit
 * transaction needs a second round trip, which costs nearly as much as the statement.
 *
 * @param dataSource the data source of the statement
 * @param isolation that of a transaction that PostgreSQL begins for it
 */
record SingleStatement(DataSource dataSource, IsolationStatement isolation) {

	/** Returns whether no transaction or synchronization of this thread is affected. */
	boolean isAlone() {
		return !TransactionSynchronizationManager.isSynchronizationActive()
				&& !TransactionSynchronizationManager.isActualTransactionActive()
				&& !TransactionSynchronizationManager.hasResource(this.dataSource);
	}

	/**
	 * Runs the work.
	 * @param otherwise runs it instead if connections do not commit automatically, or
	 * their transactions are not {@code READ COMMITTED} by default
	 */
	<T> T run(Supplier<T> work, Supplier<T> otherwise) throws SQLException {
		Connection connection = DataSourceUtils.getConnection(this.dataSource);
		try {
			if (connection.getAutoCommit() && this.isolation.isDefault(connection)) {
				return runOn(connection, work);
			}
		}
		finally {
			DataSourceUtils.releaseConnection(connection, this.dataSource);
		}
		return otherwise.get();
	}

	private <T> T runOn(Connection connection, Supplier<T> work) {
		TransactionSynchronizationManager.bindResource(this.dataSource, new ConnectionHolder(connection));
		try {
			return work.get();
		}
		finally {
			TransactionSynchronizationManager.unbindResource(this.dataSource);
		}
	}

}
