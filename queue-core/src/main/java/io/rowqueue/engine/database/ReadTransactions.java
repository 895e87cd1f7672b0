package io.rowqueue.engine.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * Transactions that read for people: they change nothing, each of their statements has to
 * end in a time, and each of them is planned for what the tables of a queue are. The
 * settings are those of the transaction, since its session may belong to others.
 */
public final class ReadTransactions {

	private static final String SETTINGS = """
			select set_config('transaction_read_only', 'on', true), set_config('statement_timeout', ?, true),
				set_config('search_path', 'pg_catalog, pg_temp', true), set_config('enable_seqscan', 'off', true),
				set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)""";

	private final QueueDatabase database;

	private final Duration statementTimeout;

	/**
	 * Creates the transactions.
	 * @param database lends the connections, which commit each statement
	 * @param statementTimeout how long a statement may take
	 */
	public ReadTransactions(QueueDatabase database, Duration statementTimeout) {
		this.database = database;
		this.statementTimeout = statementTimeout;
	}

	/** Reads in a transaction. */
	public <T extends @Nullable Object> T read(Function<QueueDatabase, T> work) {
		return this.database.jdbc().execute((ConnectionCallback<T>) (connection) -> inTransaction(connection, work));
	}

	private <T extends @Nullable Object> T inTransaction(Connection connection, Function<QueueDatabase, T> work)
			throws SQLException {
		if (!connection.getAutoCommit()) { // the caller has a transaction
			return read(connection, work);
		}
		connection.setAutoCommit(false);
		try {
			return read(connection, work);
		}
		finally {
			// nothing was written
			connection.rollback();
			connection.setAutoCommit(true);
		}
	}

	private <T extends @Nullable Object> T read(Connection connection, Function<QueueDatabase, T> work) {
		JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
		jdbc.query(SETTINGS, (row) -> {
		}, this.statementTimeout.toMillis() + "ms");
		return work.apply(new QueueDatabase(jdbc, this.database.schema()));
	}

}
