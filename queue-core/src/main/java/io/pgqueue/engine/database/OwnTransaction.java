package io.pgqueue.engine.database;

import java.util.function.Supplier;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/**
 * A new transaction with the connections that jobs are enqueued with. If the work fails,
 * its exception is the one that is thrown: on a connection that was lost the rollback
 * fails as well, and says less.
 */
public final class OwnTransaction {

	private final PlatformTransactionManager manager;

	private final TransactionDefinition definition;

	/**
	 * Creates the transaction.
	 * @param dataSource the data source that jobs are enqueued with
	 * @param isolation an isolation level of {@link TransactionDefinition}
	 */
	public OwnTransaction(DataSource dataSource, int isolation) {
		this.manager = new DataSourceTransactionManager(JobTransactions.withoutProxy(dataSource));
		DefaultTransactionDefinition created = new DefaultTransactionDefinition(
				TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		created.setIsolationLevel(isolation);
		this.definition = created;
	}

	/** Runs the work, and commits unless it throws an exception. */
	public <T extends @Nullable Object> T run(Supplier<T> work) {
		TransactionStatus status = this.manager.getTransaction(this.definition);
		T result;
		try {
			result = work.get();
		}
		catch (Throwable ex) {
			rollBack(status, ex);
			throw ex;
		}
		this.manager.commit(status);
		return result;
	}

	private void rollBack(TransactionStatus status, Throwable failure) {
		try {
			this.manager.rollback(status);
		}
		catch (RuntimeException ex) {
			failure.addSuppressed(ex);
		}
	}

}
