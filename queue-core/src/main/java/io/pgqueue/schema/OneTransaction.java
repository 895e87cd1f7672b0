package io.pgqueue.schema;

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
 * A transaction on one connection that Flyway joins. Left to itself, Flyway takes two
 * connections and several transactions: that starves a pool of one, spreads over server
 * connections behind a transaction pooler, and leaves things half done when it fails.
 */
final class OneTransaction implements AutoCloseable {

	/**
	 * Whatever is set for the database or the role: others may upgrade the schema for
	 * longer than that. PostgreSQL 17 and newer know the last one.
	 */
	private static final String NO_TIMEOUTS = """
			select set_config(name, '0', true) from pg_settings where name in (
				'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')""";

	/** Whoever waits for a table in use keeps all those waiting who come after him. */
	private static final String LIMIT_LOCKS = "set local lock_timeout = '1min'";

	private final Connection connection;

	private final boolean autoCommit;

	private OneTransaction(Connection connection, boolean autoCommit) {
		this.connection = connection;
		this.autoCommit = autoCommit;
	}

	/** Begins the transaction; it sees what others committed while it waited. */
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

	/** Bounds each wait for a lock from now on. */
	void limitLocks() throws SQLException {
		execute(LIMIT_LOCKS);
	}

	void commit() throws SQLException {
		this.connection.commit();
	}

	/** Every connection of it is the same one, and leaves the transaction open. */
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

	/** Rolls back what was not committed. */
	@Override
	public void close() throws SQLException {
		this.connection.rollback();
		this.connection.setAutoCommit(this.autoCommit);
	}

}
