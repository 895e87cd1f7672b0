package io.rowqueue.migration;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.AbstractDataSource;

/**
 * A transaction on one connection that Flyway takes part in. By default, Flyway uses two
 * connections and several transactions, which exhausts a pool with one connection, uses
 * several server connections behind a transaction pooler, and leaves a partial upgrade
 * when it fails.
 */
final class OneTransaction implements AutoCloseable {

	/**
	 * Disables the timeouts that are set for the database or the role, since another
	 * process may upgrade the schema for longer. Only PostgreSQL 17 and later know the
	 * last one.
	 */
	private static final String NO_TIMEOUTS = """
			select set_config(name, '0', true) from pg_settings where name in (
				'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')""";

	/**
	 * A statement that waits for the lock of a table blocks all later users of the table.
	 */
	private static final String LIMIT_LOCKS = "set local lock_timeout = '1min'";

	private final Connection connection;

	private final boolean autoCommit;

	private OneTransaction(Connection connection, boolean autoCommit) {
		this.connection = connection;
		this.autoCommit = autoCommit;
	}

	/** Begins the transaction, which sees what others have committed while it waited. */
	static OneTransaction begin(Connection connection) throws SQLException {
		boolean autoCommit = connection.getAutoCommit();
		connection.setAutoCommit(false);
		OneTransaction transaction = new OneTransaction(connection, autoCommit);
		transaction.execute("set transaction isolation level read committed");
		transaction.execute(NO_TIMEOUTS);
		transaction.limitLocks();
		return transaction;
	}

	Connection connection() {
		return this.connection;
	}

	void execute(String sql) throws SQLException {
		try (Statement statement = this.connection.createStatement()) {
			statement.execute(sql);
		}
	}

	/** Limits each wait for a lock from now on. */
	void limitLocks() throws SQLException {
		execute(LIMIT_LOCKS);
	}

	void commit() throws SQLException {
		this.connection.commit();
	}

	/** All connections of it are the same, and do not end the transaction. */
	DataSource asDataSource() {
		Connection joined = (Connection) Proxy.newProxyInstance(OneTransaction.class.getClassLoader(),
				new Class<?>[] { Connection.class }, (proxy, method, args) -> switch (method.getName()) {
					case "commit", "close", "setAutoCommit" -> null;
					case "equals" -> proxy == args[0];
					default -> invoke(method, args);
				});
		return new AbstractDataSource() {

			@Override
			public Connection getConnection() {
				return joined;
			}

			@Override
			public Connection getConnection(String username, String password) {
				throw new UnsupportedOperationException("the transaction has its user already");
			}

		};
	}

	private @Nullable Object invoke(Method method, Object @Nullable [] args) throws Throwable {
		try {
			return method.invoke(this.connection, args);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	/** Rolls back changes that were not committed. */
	@Override
	public void close() throws SQLException {
		this.connection.rollback();
		this.connection.setAutoCommit(this.autoCommit);
	}

}
