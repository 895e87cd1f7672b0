package io.rowqueue.engine.database;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

/**
 * A connection of a pool that the application uses as well. It is returned to the pool
 * with its original settings, or closed.
 */
final class LentConnection implements InvocationHandler {

	private final Connection connection;

	private final Undo undo;

	private LentConnection(Connection connection, Undo undo) {
		this.connection = connection;
		this.undo = undo;
	}

	/**
	 * Wraps a connection.
	 * @param undo restores the original settings
	 */
	static Connection of(Connection connection, Undo undo) {
		return (Connection) Proxy.newProxyInstance(LentConnection.class.getClassLoader(),
				new Class<?>[] { Connection.class }, new LentConnection(connection, undo));
	}

	@Override
	public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
			throws Throwable {
		if (method.getName().equals("close") && !this.connection.isClosed()) {
			giveBack();
		}
		try {
			return method.invoke(this.connection, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	private void giveBack() throws SQLException {
		try {
			this.undo.run();
		}
		catch (SQLException ex) {
			this.connection.abort(Runnable::run);
		}
	}

	/** Restores the original settings. */
	@FunctionalInterface
	interface Undo {

		void run() throws SQLException;

	}

}
