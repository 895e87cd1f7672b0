package io.rowqueue.engine.database;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;

/**
 * Creates the transactions of a shard for which the application has no transaction
 * manager. While a transactional handler runs in one, the application's data source
 * returns its connection, so that what the handler writes is stored in the shard and
 * committed with the end of its job. Not a bean of the type of transaction managers: the
 * application has its own.
 */
public final class ShardTransactions {

	private final DataSource shard;

	private final DataSource application;

	/**
	 * Creates it.
	 * @param shard the data source of the shard
	 * @param application the data source that handlers use
	 */
	public ShardTransactions(DataSource shard, DataSource application) {
		this.shard = JobTransactions.withoutProxy(shard);
		this.application = JobTransactions.withoutProxy(application);
	}

	/**
	 * Whether handlers use JDBC: what another manager of the application knows, such as
	 * the persistence context of JPA, cannot be replaced.
	 */
	public boolean canReplace(PlatformTransactionManager manager) {
		return manager instanceof DataSourceTransactionManager;
	}

	/**
	 * Whether a manager is one of another database, which must not be asked: that
	 * database may not be available.
	 */
	public boolean isElsewhere(PlatformTransactionManager manager) {
		return manager instanceof DataSourceTransactionManager jdbc && jdbc.getDataSource() != this.shard;
	}

	/** Creates a transaction manager. */
	public PlatformTransactionManager create() {
		return new SharingTransactionManager(this.shard, this.application);
	}

	/** Shares the connections of its transactions with the application. */
	private static final class SharingTransactionManager extends JdbcTransactionManager {

		private final DataSource application;

		SharingTransactionManager(DataSource dataSource, DataSource application) {
			super(dataSource);
			this.application = application;
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			super.doBegin(transaction, definition);
			SharedConnection.begin(obtainDataSource(), this.application);
		}

		@Override
		protected void doCleanupAfterCompletion(Object transaction) {
			SharedConnection.end(this.application);
			super.doCleanupAfterCompletion(transaction);
		}

		@Override
		protected Object doSuspend(Object transaction) {
			SharedConnection.end(this.application);
			return super.doSuspend(transaction);
		}

		@Override
		protected void doResume(@Nullable Object transaction, Object suspended) {
			super.doResume(transaction, suspended);
			SharedConnection.begin(obtainDataSource(), this.application);
		}

	}

}
