package io.pgqueue.engine.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.function.Predicate;
import java.util.function.Supplier;

import javax.sql.DataSource;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction that the calling thread is already in. Jobs that are enqueued in it are
 * visible only on its connection, and can therefore run only in it.
 */
public final class JoinedTransaction {

	private final DataSource dataSource;

	/**
	 * Creates the transaction.
	 * @param dataSource the data source that jobs are enqueued with
	 */
	public JoinedTransaction(DataSource dataSource) {
		this.dataSource = JobTransactions.withoutProxy(dataSource);
	}

	/** Returns whether the calling thread is in a transaction of the queue's database. */
	public boolean isActive() {
		return TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.hasResource(this.dataSource);
	}

	/**
	 * Runs work, and undoes its writes if it throws an exception or the writes are not to
	 * be kept. The transaction can continue in all cases, also after an error of the
	 * database.
	 * @param work the work
	 * @param isKept whether the writes are kept, depending on the result of the work
	 * @throws InvalidDataAccessApiUsageException if the writes cannot be kept, because
	 * the work has caught an error of the database and continued
	 */
	public <T> T attempt(Supplier<T> work, Predicate<? super T> isKept) {
		Connection connection = DataSourceUtils.getConnection(this.dataSource);
		try {
			Savepoint before = connection.setSavepoint();
			boolean kept = false;
			try {
				T result = work.get();
				if (isKept.test(result)) {
					keep(connection, before);
					kept = true;
				}
				return result;
			}
			finally {
				if (!kept) {
					connection.rollback(before);
				}
			}
		}
		catch (SQLException ex) {
			throw new DataAccessResourceFailureException("The transaction cannot continue: " + ex.getMessage(), ex);
		}
		finally {
			DataSourceUtils.releaseConnection(connection, this.dataSource);
		}
	}

	private static void keep(Connection connection, Savepoint savepoint) {
		try {
			connection.releaseSavepoint(savepoint);
		}
		catch (SQLException ex) {
			throw new InvalidDataAccessApiUsageException(
					"The handler caught an error of the database and continued, but"
							+ " PostgreSQL rejects all further statements of the surrounding transaction. Run the handler in a test"
							+ " without one (@Transactional(propagation = Propagation.NOT_SUPPORTED))",
					ex);
		}
	}

}
