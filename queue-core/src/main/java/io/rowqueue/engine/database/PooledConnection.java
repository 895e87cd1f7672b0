package io.rowqueue.engine.database;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A connection to a pooler, where a session setting must not outlive a transaction, since
 * the next transaction may belong to another client. Each statement is sent as a
 * transaction that begins with the settings. Begin, settings, statement and commit are
 * sent and answered together, so that this needs no more round trips than the statement
 * alone. A transaction that the caller begins has the settings as well.
 */
final class PooledConnection implements InvocationHandler {

	/** The results of "begin" and of the settings precede those of the statement. */
	private static final int PRECEDING_RESULTS = 2;

	private final Connection connection;

	private final String settings;

	private final String before;

	private PooledConnection(Connection connection, SessionSettings settings) {
		this.connection = connection;
		this.settings = settings.forTransaction();
		this.before = "begin isolation level read committed; " + this.settings + "; ";
	}

	static Connection of(Connection connection, SessionSettings settings) {
		return proxy(Connection.class, new PooledConnection(connection, settings));
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
			throws Throwable {
		if (!this.connection.isClosed() && this.connection.getAutoCommit()) {
			if (method.getName().equals("prepareStatement") && arguments != null
					&& arguments[0] instanceof String sql) {
				arguments[0] = inTransaction(sql);
				return proxy(PreparedStatement.class, statement(call(this.connection, method, arguments)));
			}
			if (method.getName().equals("createStatement")) {
				return proxy(Statement.class, statement(call(this.connection, method, arguments)));
			}
			if (method.getName().equals("setAutoCommit") && arguments != null && Boolean.FALSE.equals(arguments[0])) {
				call(this.connection, method, arguments);
				begin();
				return null;
			}
		}
		return call(this.connection, method, arguments);
	}

	private void begin() throws SQLException {
		try (Statement statement = this.connection.createStatement()) {
			statement.execute(this.settings);
		}
	}

	private String inTransaction(String sql) {
		return this.before + sql + "\n; commit";
	}

	private InvocationHandler statement(@Nullable Object target) {
		Statement statement = (Statement) Objects.requireNonNull(target);
		return (proxy, method, arguments) -> {
			if (!method.getName().startsWith("execute")) {
				return call(statement, method, arguments);
			}
			try {
				boolean rows = (arguments != null && arguments[0] instanceof String sql)
						? statement.execute(inTransaction(sql)) : ((PreparedStatement) statement).execute();
				for (int i = 0; i < PRECEDING_RESULTS; i++) {
					rows = statement.getMoreResults();
				}
				return switch (method.getName()) {
					case "execute" -> rows;
					case "executeQuery" -> statement.getResultSet();
					case "executeUpdate" -> statement.getUpdateCount();
					default -> throw new UnsupportedOperationException(method.getName());
				};
			}
			catch (SQLException ex) {
				rollBack(ex);
				throw ex;
			}
		};
	}

	/** Ends the transaction of a failed statement. */
	private void rollBack(SQLException cause) {
		try (Statement statement = this.connection.createStatement()) {
			statement.execute("rollback");
		}
		catch (SQLException ex) {
			// without a connection there is no transaction
			cause.addSuppressed(ex);
		}
	}

	private static @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] arguments)
			throws Throwable {
		try {
			return method.invoke(target, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	private static <T> T proxy(Class<T> type, InvocationHandler handler) {
		return type
			.cast(Proxy.newProxyInstance(PooledConnection.class.getClassLoader(), new Class<?>[] { type }, handler));
	}

}
