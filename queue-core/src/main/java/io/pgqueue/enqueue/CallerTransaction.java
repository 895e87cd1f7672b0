package io.pgqueue.enqueue;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Objects;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.pgqueue.wakeup.WakeUps;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The transaction of whoever enqueues. What counts is whether a connection of the queue's
 * {@code DataSource} is bound to the thread and is in a transaction: a transaction of
 * another database is no reason to leave a job uncommitted, and JPA, jOOQ or plain JDBC
 * all bind the connection in the same way.
 */
final class CallerTransaction {

	private final DataSource dataSource;

	private final OwnTransactions transactions;

	private final TransactionTemplate own;

	CallerTransaction(DataSource dataSource) {
		this.dataSource = withoutProxy(dataSource);
		this.transactions = new OwnTransactions(this.dataSource);
		this.own = new TransactionTemplate(this.transactions);
	}

	/** Whether the caller is in a transaction of the queue's database. */
	boolean isActive() {
		return !isOver() && openConnection() != null;
	}

	/** Runs the work in a transaction of its own. */
	<T> T create(Supplier<T> work) {
		Connection left = isOver() ? openConnection() : null;
		return (left != null) ? commit(left, work) : Objects.requireNonNull(this.own.execute((status) -> work.get()));
	}

	/** Commits what was enqueued after the caller's commit, if there is anything. */
	void commitLate() {
		Connection left = openConnection();
		if (left != null) {
			commit(left, () -> this);
		}
	}

	/**
	 * The transaction has ended and its last callbacks run: its connection is still bound
	 * and looks as if it was in a transaction, but nothing will commit it any more.
	 */
	private static boolean isOver() {
		return TransactionSynchronizationManager.isActualTransactionActive()
				&& !TransactionSynchronizationManager.isSynchronizationActive();
	}

	private @Nullable Connection openConnection() {
		@Nullable ConnectionHolder holder = (ConnectionHolder) TransactionSynchronizationManager.getResource(this.dataSource);
		if (holder == null || (holder.isSynchronizedWithTransaction() && !this.transactions.hasBegun())) {
			return null; // none, or one that is only kept for the next statement
		}
		try {
			Connection connection = holder.getConnection();
			return connection.getAutoCommit() ? null : connection;
		}
		catch (SQLException ex) {
			throw new DataAccessResourceFailureException("The transaction's connection is broken: " + ex.getMessage(),
					ex);
		}
	}

	private static <T> T commit(Connection connection, Supplier<T> work) {
		try {
			T result = work.get();
			connection.commit();
			return result;
		}
		catch (SQLException ex) {
			throw new DataAccessResourceFailureException("The jobs could not be committed: " + ex.getMessage(), ex);
		}
		catch (RuntimeException ex) {
			rollBack(connection, ex);
			throw ex;
		}
	}

	private static void rollBack(Connection connection, RuntimeException reason) {
		try {
			connection.rollback();
		}
		catch (SQLException ex) {
			reason.addSuppressed(ex);
		}
	}

	/** Wakes the workers of the queues if and when the caller's transaction commits. */
	void afterCommit(Collection<String> queues, WakeUps wakeUps) {
		if (!TransactionSynchronizationManager.isSynchronizationActive()) {
			wakeUps.jobsArrived(queues); // too early at worst: polling finds the jobs
			return;
		}
		@Nullable QueuesToWake waiting = (QueuesToWake) TransactionSynchronizationManager.getResource(wakeUps);
		if (waiting == null) {
			waiting = new QueuesToWake();
			waiting.setSynchronizedWithTransaction(true);
			TransactionSynchronizationManager.bindResource(wakeUps, waiting);
			TransactionSynchronizationManager.registerSynchronization(new WakeUpAfterCommit(waiting, wakeUps, this));
		}
		waiting.addAll(queues);
	}

	private static DataSource withoutProxy(DataSource dataSource) {
		if (dataSource instanceof TransactionAwareDataSourceProxy proxy) {
			return Objects.requireNonNull(proxy.getTargetDataSource());
		}
		return dataSource;
	}

	/** Tells a transaction from a connection that is only kept for the thread. */
	private static final class OwnTransactions extends DataSourceTransactionManager {

		OwnTransactions(DataSource dataSource) {
			super(dataSource);
		}

		boolean hasBegun() {
			return isExistingTransaction(doGetTransaction());
		}

	}

}
