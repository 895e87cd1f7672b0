package io.rowqueue.engine.database;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The application's transactions in which transactional handlers run and their jobs end.
 * They are always {@code READ COMMITTED}: otherwise a heartbeat that shows the job as
 * running would cause a serialization failure at its end.
 */
public final class JobTransactions {

	private final PlatformTransactionManager manager;

	private final DataSource dataSource;

	private final JoinedTransaction current;

	private final DefaultTransactionDefinition definition;

	/**
	 * Creates the transactions.
	 * @param manager manages the transactions
	 * @param dataSource the data source that jobs are enqueued with
	 */
	public JobTransactions(PlatformTransactionManager manager, DataSource dataSource) {
		this(manager, dataSource, TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.definition.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
	}

	private JobTransactions(PlatformTransactionManager manager, DataSource dataSource, int propagation) {
		this.manager = TransactionEndListener.addTo(manager);
		this.dataSource = withoutProxy(dataSource);
		this.current = new JoinedTransaction(dataSource);
		this.definition = new DefaultTransactionDefinition(propagation);
		this.definition.setName("job");
	}

	/**
	 * Returns the operations in the transaction of the calling thread, if there is one.
	 */
	public JobTransactions joining() {
		return new JobTransactions(this.manager, this.dataSource, TransactionDefinition.PROPAGATION_REQUIRED);
	}

	/**
	 * Returns the data source behind a proxy that takes part in transactions itself.
	 * Transaction managers bind its connections to a thread.
	 * @param dataSource a data source, which may be a proxy
	 */
	public static DataSource withoutProxy(DataSource dataSource) {
		return (dataSource instanceof TransactionAwareDataSourceProxy proxy)
				? Objects.requireNonNull(proxy.getTargetDataSource()) : dataSource;
	}

	/**
	 * Checks whether transactions of the manager are transactions of the queue's
	 * database: managers for JDBC and JPA bind its connection to the thread. Begins a
	 * transaction and rolls it back.
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
	 * Runs work, and then ends its job, in a transaction. An exception of either rolls
	 * the transaction back and is rethrown. After an exception of the commit, it is not
	 * known whether the transaction was committed. One that a synchronization throws
	 * after the commit changes nothing.
	 * @param work the work of the handler
	 * @param end ends the job, after all writes of the work were flushed
	 * @param afterwards is given what a synchronization throws after the commit
	 */
	public <T> void execute(OwnTransaction.Work<T, Exception> work, End<? super T> end, Consumer<Throwable> afterwards)
			throws Exception {
		TransactionStatus status = this.manager.getTransaction(this.definition);
		AtomicBoolean committed = new AtomicBoolean();
		try {
			if (!isBound()) {
				throw new IllegalStateException("The transaction manager does not bind the queue's connection");
			}
			T result = work.run();
			status.flush();
			end.run(result);
			@Nullable TransactionEnd ending = this.current.end();
			if (ending != null) {
				ending.add(() -> committed.set(true));
			}
		}
		catch (Throwable ex) {
			OwnTransaction.rollBack(this.manager, status, ex);
			throw ex;
		}
		try {
			this.manager.commit(status);
		}
		catch (Throwable ex) {
			if (!committed.get()) {
				throw ex;
			}
			afterwards.accept(ex);
		}
	}

	private boolean isBound() {
		return TransactionSynchronizationManager.hasResource(this.dataSource);
	}

	/**
	 * Ends a job.
	 *
	 * @param <T> the result type of its work
	 */
	@FunctionalInterface
	public interface End<T> {

		void run(T result);

	}

}
