package io.rowqueue.engine.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import io.rowqueue.engine.database.LentConnection.Undo;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.AbstractDataSource;

/**
 * Opens the connections of workers, which have their own settings and timeouts. A session
 * is configured once when it is opened; behind a pooler, each transaction is configured.
 * This is not a connection pool.
 */
public final class WorkerDataSource extends AbstractDataSource {

	private static final Logger logger = LoggerFactory.getLogger(WorkerDataSource.class);

	private final DataSource target;

	private final boolean lent;

	private final @Nullable String initSql;

	private final StatementTimeouts limits;

	private final SessionSettings settings;

	private volatile int loginTimeout;

	/**
	 * Creates the data source.
	 * @param target opens the connections
	 * @param lent whether the connections come from a pool that the application uses as
	 * well, and must be returned with their original settings
	 * @param initSql a statement for each new session, or {@code null}
	 * @param limits the timeouts for statements
	 */
	public WorkerDataSource(DataSource target, boolean lent, @Nullable String initSql, StatementTimeouts limits) {
		this.target = target;
		this.lent = lent;
		this.initSql = initSql;
		this.limits = limits;
		this.settings = new SessionSettings(limits);
	}

	@Override
	public Connection getConnection() throws SQLException {
		return prepared(this.target.getConnection());
	}

	@Override
	public Connection getConnection(String username, String password) throws SQLException {
		return prepared(this.target.getConnection(username, password));
	}

	/**
	 * Kept for the connection pool, which waits that long for its threads when it is
	 * closed. The connect timeout of the target is not affected.
	 */
	@Override
	public void setLoginTimeout(int seconds) {
		this.loginTimeout = seconds;
	}

	@Override
	public int getLoginTimeout() {
		return this.loginTimeout;
	}

	private Connection prepared(Connection connection) throws SQLException {
		try {
			return prepare(connection);
		}
		catch (SQLException | RuntimeException ex) {
			connection.close();
			throw ex;
		}
	}

	private Connection prepare(Connection connection) throws SQLException {
		List<Undo> undo = new ArrayList<>();
		limit(connection, undo);
		commitEach(connection, undo);
		if (this.initSql != null) {
			try (Statement statement = connection.createStatement()) {
				statement.execute(this.initSql);
			}
		}
		boolean pooler = Pooler.isBehind(connection);
		if (pooler) {
			prepareNothing(connection.unwrap(PGConnection.class), undo);
		}
		else {
			Map<String, String> before = this.settings.apply(connection);
			undo.add(0, () -> SessionSettings.write(connection, before));
		}
		Connection prepared = pooler ? PooledConnection.of(connection, this.settings) : connection;
		return this.lent ? LentConnection.of(prepared, () -> {
			for (Undo each : undo) {
				each.run();
			}
		}) : prepared;
	}

	private void limit(Connection connection, List<Undo> undo) throws SQLException {
		try {
			int before = connection.getNetworkTimeout();
			int maxMillis = Math.toIntExact(this.limits.socket().toMillis());
			if (before == 0 || before > maxMillis) {
				connection.setNetworkTimeout(Runnable::run, maxMillis);
			}
			undo.add(() -> connection.setNetworkTimeout(Runnable::run, before));
		}
		catch (SQLFeatureNotSupportedException ex) {
			logger.debug("These connections do not support a network timeout", ex);
		}
	}

	private static void commitEach(Connection connection, List<Undo> undo) throws SQLException {
		boolean before = connection.getAutoCommit();
		connection.setAutoCommit(true);
		undo.add(() -> connection.setAutoCommit(before));
	}

	/** The next session may not know statements that were prepared in this one. */
	private static void prepareNothing(PGConnection connection, List<Undo> undo) {
		int before = connection.getPrepareThreshold();
		connection.setPrepareThreshold(0);
		undo.add(() -> connection.setPrepareThreshold(before));
	}

}
