package io.rowqueue.engine.database;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/**
 * A new transaction. If the work fails, its exception is the one that is thrown: on a
 * connection that was lost the rollback fails as well, and says less.
 */
public final class OwnTransaction {

	private final PlatformTransactionManager manager;

	private final TransactionDefinition definition;

	/**
	 * Creates the transaction.
	 * @param dataSource the data source that the work uses
	 * @param isolation an isolation level of {@link TransactionDefinition}
	 */
	public OwnTransaction(DataSource dataSource, int isolation) {
		this.manager = TransactionEndListener
			.addTo(new DataSourceTransactionManager(JobTransactions.withoutProxy(dataSource)));
		DefaultTransactionDefinition created = new DefaultTransactionDefinition(
				TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		created.setIsolationLevel(isolation);
		this.definition = created;
	}

	/** Runs the work, and commits unless it throws an exception. */
	public <T extends @Nullable Object, E extends Exception> T run(Work<T, E> work) throws E {
		TransactionStatus status = this.manager.getTransaction(this.definition);
		T result;
		try {
			result = work.run();
		}
		catch (Throwable ex) {
			rollBack(this.manager, status, ex);
			throw ex;
		}
		this.manager.commit(status);
		return result;
	}

	static void rollBack(PlatformTransactionManager manager, TransactionStatus status, Throwable failure) {
		try {
			manager.rollback(status);
		}
		catch (RuntimeException | Error ex) { // without a connection nothing is committed
			failure.addSuppressed(ex);
		}
	}

	/**
	 * Work in a transaction, or outside of one.
	 *
	 * @param <T> the type of its result
	 * @param <E> what it may throw
	 */
	@FunctionalInterface
	public interface Work<T extends @Nullable Object, E extends Exception> {

		T run() throws E;

	}

}
