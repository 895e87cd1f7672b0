package io.rowqueue.testing;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;

import io.rowqueue.postgres.Database;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.support.JdbcUtils;

/**
 * Keeps connections for the next user: to connect costs the server more than most tests
 * do. Its users see new sessions: one that has ended is replaced, and nothing is left of
 * what its last user has set, prepared, locked or listened to.
 */
public final class KeptConnections extends AbstractDataSource implements AutoCloseable {

	/** More than a test uses at once. */
	private static final int MAX_IDLE = 40;

	private final PGSimpleDataSource target;

	private final boolean forStatements;

	private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();

	private KeptConnections(PGSimpleDataSource target, boolean forStatements) {
		this.target = target;
		this.forStatements = forStatements;
	}

	/**
	 * Keeps connections for users that close each one after a statement, which leaves
	 * nothing behind.
	 */
	static KeptConnections forStatements(PGSimpleDataSource target) {
		return new KeptConnections(target, true);
	}

	/** Keeps connections to a database for pools and transactions. */
	public static KeptConnections forPools(Database database) {
		PGSimpleDataSource target = new PGSimpleDataSource();
		target.setUrl(database.url());
		target.setUser(database.username());
		target.setPassword(database.password());
		target.setSocketTimeout((int) Engine.LIMIT.toSeconds());
		return forPools(target);
	}

	/** Keeps connections for pools and transactions. */
	public static KeptConnections forPools(PGSimpleDataSource target) {
		return new KeptConnections(target, false);
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
		if (!connection.isClosed() && this.idle.size() < MAX_IDLE && isAsNew(connection)) {
			this.idle.push(connection);
		}
		else {
			connection.close();
		}
	}

	private boolean isAsNew(Connection connection) throws SQLException {
		if (this.forStatements) {
			return connection.getAutoCommit();
		}
		try {
			if (!connection.getAutoCommit()) {
				connection.rollback();
				connection.setAutoCommit(true);
			}
			connection.setReadOnly(false);
			connection.setNetworkTimeout(Runnable::run, (int) Engine.LIMIT.toMillis());
			try (Statement statement = connection.createStatement()) {
				statement.execute("discard all");
			}
			connection.unwrap(PGConnection.class).getNotifications();
			connection.clearWarnings();
			return true;
		}
		catch (SQLException ex) {
			return false; // the session has ended
		}
	}

	@Override
	public void close() {
		for (Connection kept = this.idle.poll(); kept != null; kept = this.idle.poll()) {
			JdbcUtils.closeConnection(kept);
		}
	}

}
