package io.rowqueue.testing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Deque;
import java.util.Properties;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.sql.DataSource;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.KeptSessions;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.jdbc.support.JdbcUtils;

/**
 * Keeps connections for users that close each one after a statement, which leaves nothing
 * behind: it is not worth a look at what to reset. One that has ended is replaced.
 */
public final class KeptConnections extends AbstractDataSource implements AutoCloseable {

	private final DataSource target;

	private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();

	KeptConnections(DataSource target) {
		this.target = target;
	}

	/** Sessions that are kept for the next user, for pools and transactions. */
	public static DataSource sessions(Database database) {
		return sessions(database, database.username(), database.password());
	}

	/** The same for another user. */
	public static DataSource sessions(Database database, String username, String password) {
		Properties properties = new Properties();
		properties.setProperty("user", username);
		properties.setProperty("password", password);
		properties.setProperty("socketTimeout", String.valueOf(Engine.LIMIT.toSeconds()));
		return new SimpleDriverDataSource(new KeptSessions(), database.url(), properties);
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
		AtomicBoolean closed = new AtomicBoolean();
		return Proxies.of(Connection.class, (proxy, method, arguments) -> {
			if (method.getName().equals("close")) {
				if (closed.compareAndSet(false, true)) {
					takeBack(connection);
				}
				return null;
			}
			if (!closed.get()) {
				return Proxies.call(connection, method, arguments);
			}
			if (method.getName().equals("isClosed")) {
				return true;
			}
			throw new SQLException("The connection is closed", "08003");
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
	public void close() {
		for (Connection kept = this.idle.poll(); kept != null; kept = this.idle.poll()) {
			JdbcUtils.closeConnection(kept);
		}
	}

}
