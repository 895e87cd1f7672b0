package io.rowqueue.engine.database;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Lets the queue know which transactions of a manager have been committed: Spring offers
 * a transaction to the synchronizations that it notifies of the commit, although nothing
 * commits what they write in it. The {@link TransactionEnd} of a transaction is bound to
 * its thread as long as the connection is.
 */
public final class TransactionEndListener implements TransactionExecutionListener {

	private static final TransactionEndListener INSTANCE = new TransactionEndListener();

	/** What a transaction is bound to the thread with while it is being committed. */
	private static final Object COMMITTING = new Object();

	private TransactionEndListener() {
	}

	/**
	 * Adds the listener to a manager that takes listeners.
	 * @return the manager
	 */
	public static <M extends TransactionManager> M addTo(M manager) {
		if (manager instanceof ConfigurableTransactionManager configurable
				&& !configurable.getTransactionExecutionListeners().contains(INSTANCE)) {
			configurable.addListener(INSTANCE);
		}
		return manager;
	}

	/**
	 * Returns whether a transaction of the calling thread, of any resource, is being
	 * committed, or notifies its synchronizations of that.
	 */
	static boolean isCommitting() {
		return TransactionSynchronizationManager.getResourceMap().containsValue(COMMITTING);
	}

	@Override
	public void afterBegin(TransactionExecution transaction, @Nullable Throwable failure) {
		ConnectionHolder connection = connection(transaction);
		if (failure == null && connection != null && TransactionSynchronizationManager.isSynchronizationActive()
				&& TransactionEnd.of(connection) == null) {
			TransactionEnd end = new TransactionEnd(transaction);
			TransactionSynchronizationManager.registerSynchronization(end);
			TransactionSynchronizationManager.bindResource(connection, end);
		}
	}

	@Override
	public void beforeCommit(TransactionExecution transaction) {
		TransactionEnd end = end(transaction);
		if (end != null) {
			end.hasCome();
		}
		// a reactive one does not belong to the thread
		if (TransactionSynchronizationManager.isSynchronizationActive()) {
			TransactionSynchronizationManager.bindResource(transaction, COMMITTING);
		}
	}

	@Override
	public void afterCommit(TransactionExecution transaction, @Nullable Throwable failure) {
		unbind(transaction);
	}

	@Override
	public void afterRollback(TransactionExecution transaction, @Nullable Throwable failure) {
		unbind(transaction);
	}

	private static void unbind(TransactionExecution transaction) {
		TransactionSynchronizationManager.unbindResourceIfPossible(transaction);
		ConnectionHolder connection = connection(transaction);
		if (connection != null && end(transaction) != null) {
			TransactionSynchronizationManager.unbindResource(connection);
		}
	}

	/** Not that of a savepoint, which ends without its transaction. */
	private static @Nullable TransactionEnd end(TransactionExecution transaction) {
		ConnectionHolder connection = connection(transaction);
		TransactionEnd end = (connection != null) ? TransactionEnd.of(connection) : null;
		return (end != null && end.isOf(transaction)) ? end : null;
	}

	private static @Nullable ConnectionHolder connection(TransactionExecution transaction) {
		return (transaction instanceof DefaultTransactionStatus status && status.hasTransaction()
				&& status.getTransaction() instanceof JdbcTransactionObjectSupport jdbc && jdbc.hasConnectionHolder())
						? jdbc.getConnectionHolder() : null;
	}

}
