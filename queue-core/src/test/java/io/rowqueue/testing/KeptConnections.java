package io.rowqueue.testing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.datasource.AbstractDataSource;

/**
 * Keeps connections for the next statement: a test asks the same again until something
 * has happened, and to connect costs the server more than to answer. Its users see new
 * sessions: one that has ended is replaced, and nothing is prepared.
 */
final class KeptConnections extends AbstractDataSource implements AutoCloseable {

	private final PGSimpleDataSource target;

	private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();

	/**
	 * Creates it without connections.
	 * @param target opens them
	 */
	KeptConnections(PGSimpleDataSource target) {
		this.target = target;
		this.target.setPrepareThreshold(0);
	}

	@Override
	public Connection getConnection() throws SQLException {
		for (Connection kept = this.idle.poll(); kept != null; kept = this.idle.poll()) {
			if (kept.isValid(0)) {
				return lend(kept);
			}
			kept.close();
		}
		return lend(this.target.getConnection());
	}

	@Override
	public Connection getConnection(String username, String password) throws SQLException {
		return this.target.getConnection(username, password);
	}

	private Connection lend(Connection connection) {
		return Proxies.of(Connection.class, (proxy, method, arguments) -> {
			if (method.getName().equals("close")) {
				takeBack(connection);
				return null;
			}
			return Proxies.call(connection, method, arguments);
		});
	}

	private void takeBack(Connection connection) throws SQLException {
		if (!connection.isClosed() && connection.getAutoCommit()) {
			this.idle.push(connection);
		}
		else {
			connection.close();
		}
	}

	@Override
	public void close() throws SQLException {
		for (Connection kept = this.idle.poll(); kept != null; kept = this.idle.poll()) {
			kept.close();
		}
	}

}
