package io.rowqueue.engine.database;

import java.util.Objects;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The connection of a shard's transaction, which the application's data source returns as
 * well: what a transactional handler does with the application's data source is then part
 * of the transaction in which its job ends. It belongs to the calling thread.
 */
public final class SharedConnection {

	private static final TransactionDefinition OUTSIDE = new DefaultTransactionDefinition(
			TransactionDefinition.PROPAGATION_NOT_SUPPORTED);

	private SharedConnection() {
	}

	/**
	 * Lets the application's data source return the connection that is bound to the one
	 * of the transaction.
	 * @param transaction the data source of the transaction
	 * @param application the data source of the application
	 */
	public static void begin(DataSource transaction, DataSource application) {
		@Nullable Object before = TransactionSynchronizationManager.unbindResourceIfPossible(application);
		Object connection = Objects.requireNonNull(TransactionSynchronizationManager.getResource(transaction));
		TransactionSynchronizationManager.bindResource(application, connection);
		TransactionSynchronizationManager.bindResource(new Key(application), new Shared(connection, before));
	}

	/** Lets the application's data source return its own connections again. */
	public static void end(DataSource application) {
		@Nullable Shared shared = (Shared) TransactionSynchronizationManager.unbindResourceIfPossible(new Key(application));
		if (shared != null) {
			TransactionSynchronizationManager.unbindResourceIfPossible(application);
			if (shared.before() != null) {
				TransactionSynchronizationManager.bindResource(application, shared.before());
			}
		}
	}

	/** Whether a data source returns the connection of another one's transaction. */
	public static boolean isUsedBy(DataSource application) {
		@Nullable Shared shared = (Shared) TransactionSynchronizationManager.getResource(new Key(application));
		return shared != null && shared.connection() == TransactionSynchronizationManager.getResource(application);
	}

	/**
	 * Does work that needs the application's own database, outside of the transaction
	 * whose connection its data source returns.
	 * @param application the data source that the work uses
	 */
	public static <T, E extends Exception> T outside(DataSource application, OwnTransaction.Work<T, E> work) throws E {
		if (!isUsedBy(application)) {
			return work.run();
		}
		DataSourceTransactionManager transactions = new DataSourceTransactionManager(application);
		TransactionStatus outside = transactions.getTransaction(OUTSIDE);
		T result;
		try {
			result = work.run();
		}
		catch (Throwable ex) {
			transactions.rollback(outside);
			throw ex;
		}
		transactions.commit(outside);
		return result;
	}

	/**
	 * What a shared connection is bound with.
	 *
	 * @param application the data source that returns it
	 */
	private record Key(DataSource application) {
	}

	/**
	 * A connection that is shared.
	 *
	 * @param connection the connection
	 * @param before what was bound to the application's data source before
	 */
	private record Shared(Object connection, @Nullable Object before) {
	}

}
