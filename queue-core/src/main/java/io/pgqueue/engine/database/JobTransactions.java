package io.pgqueue.engine.database;

import java.util.Objects;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Transactions of the application that handlers run in and their jobs end in. They are
 * {@code READ COMMITTED} whatever else is the default: a heartbeat that shows the job as
 * running must not make its end a serialization failure.
 */
public final class JobTransactions {

	private final PlatformTransactionManager manager;

	private final DataSource dataSource;

	private final DefaultTransactionDefinition definition;

	/**
	 * Creates the transactions.
	 * @param manager begins and ends them
	 * @param dataSource the one that jobs are enqueued over
	 */
	public JobTransactions(PlatformTransactionManager manager, DataSource dataSource) {
		this(manager, dataSource, TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.definition.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
	}

	private JobTransactions(PlatformTransactionManager manager, DataSource dataSource, int propagation) {
		this.manager = manager;
		this.dataSource = withoutProxy(dataSource);
		this.definition = new DefaultTransactionDefinition(propagation);
		this.definition.setName("job");
	}

	/** What takes part in the transaction of the calling thread, if there is one. */
	public JobTransactions joining() {
		return new JobTransactions(this.manager, this.dataSource, TransactionDefinition.PROPAGATION_REQUIRED);
	}

	/**
	 * The connections behind a proxy that takes part in transactions by itself: they are
	 * what transaction managers bind to a thread.
	 * @param dataSource may be a proxy
	 */
	public static DataSource withoutProxy(DataSource dataSource) {
		return (dataSource instanceof TransactionAwareDataSourceProxy proxy)
				? Objects.requireNonNull(proxy.getTargetDataSource()) : dataSource;
	}

	/**
	 * Tries whether a transaction of the manager is one of the queue's database: managers
	 * of JDBC and JPA bind its connection to the thread. Begins one and rolls it back.
	 */
	public boolean includeTheQueue() {
		TransactionStatus status = this.manager.getTransaction(this.definition);
		try {
			return isBound();
		}
		finally {
			this.manager.rollback(status);
		}
	}

	/**
	 * Runs work and then the end of its job in a transaction. Whatever either throws
	 * rolls it back, and is thrown. What the commit throws leaves it open whether the
	 * transaction was committed.
	 * @param work what the handler does
	 * @param end ends the job, after all that the work has left to be written
	 */
	public <T> void execute(Work<T> work, End<? super T> end) throws Exception {
		TransactionStatus status = this.manager.getTransaction(this.definition);
		try {
			if (!isBound()) {
				throw new IllegalStateException("The transaction manager does not bind the queue's connection");
			}
			T result = work.run();
			status.flush();
			end.run(result);
		}
		catch (Throwable ex) {
			rollBack(status, ex);
			throw ex;
		}
		this.manager.commit(status);
	}

	private boolean isBound() {
		return TransactionSynchronizationManager.hasResource(this.dataSource);
	}

	private void rollBack(TransactionStatus status, Throwable cause) {
		try {
			this.manager.rollback(status);
		}
		catch (RuntimeException | Error ex) { // without a connection nothing is committed
			cause.addSuppressed(ex);
		}
	}

	/**
	 * What is done in a transaction.
	 *
	 * @param <T> what comes of it
	 */
	@FunctionalInterface
	public interface Work<T> {

		T run() throws Exception;

	}

	/**
	 * Ends a job.
	 *
	 * @param <T> what came of its work
	 */
	@FunctionalInterface
	public interface End<T> {

		void run(T result);

	}

}
