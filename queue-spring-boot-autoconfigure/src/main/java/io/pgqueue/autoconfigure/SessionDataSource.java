package io.pgqueue.autoconfigure;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;

import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.AbstractDataSource;

/**
 * Lends a pool's connections for sessions that end by being aborted. The pool has to know
 * of it: it would warn of a broken connection each time a worker stops.
 */
final class SessionDataSource extends AbstractDataSource {

	private final HikariDataSource pool;

	SessionDataSource(HikariDataSource pool) {
		this.pool = pool;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = this.pool.getConnection();
		return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(),
				new Class<?>[] { Connection.class },
				(proxy, method, arguments) -> invoke(connection, method, arguments));
	}

	@Override
	public Connection getConnection(String username, String password) throws SQLException {
		return getConnection();
	}

	private @Nullable Object invoke(Connection connection, Method method, @Nullable Object @Nullable [] arguments)
			throws Throwable {
		try {
			if (!method.getName().equals("abort")) {
				return method.invoke(connection, arguments);
			}
			method.invoke(connection.unwrap(Connection.class), arguments);
			this.pool.evictConnection(connection);
			return null;
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

}
