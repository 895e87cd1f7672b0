package io.rowqueue.engine.database;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.TransactionDefinition;

/**
 * Transactions whose statements stop reading an index at their limits. A bitmap scan
 * reads all entries that match before it returns the first row, and the planner chooses
 * it where it expects few of them: without statistics, those are all queues.
 */
public final class BoundedReads {

	private static final String SETTING = "select current_setting('enable_bitmapscan'), set_config('enable_bitmapscan', ?, true)";

	private BoundedReads() {
	}

	/**
	 * Executes statements in a transaction: the caller's, which then continues without
	 * this setting, or else one of their own.
	 * @param database lends the connection
	 * @param work executes the statements with the database that it gets
	 * @return what the work returns
	 */
	public static <T extends @Nullable Object> T run(QueueDatabase database, Function<QueueDatabase, T> work) {
		return database.jdbc().execute((ConnectionCallback<T>) (connection) -> {
			SingleConnectionDataSource shared = new SingleConnectionDataSource(connection, true);
			QueueDatabase bounded = new QueueDatabase(new JdbcTemplate(shared), database.schema());
			return connection.getAutoCommit()
					? new OwnTransaction(shared, TransactionDefinition.ISOLATION_DEFAULT).run(() -> {
						allowBitmaps(bounded, "off");
						return work.apply(bounded);
					}) : inTransaction(bounded, work);
		});
	}

	/** A transaction that fails loses the setting by its rollback. */
	private static <T extends @Nullable Object> T inTransaction(QueueDatabase database,
			Function<QueueDatabase, T> work) {
		String before = allowBitmaps(database, "off");
		T result = work.apply(database);
		allowBitmaps(database, before);
		return result;
	}

	/** Returns the previous value. */
	private static String allowBitmaps(QueueDatabase database, String value) {
		return database.query(SETTING, (row, index) -> row.getString(1), value).get(0);
	}

}
