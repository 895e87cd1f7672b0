package io.rowqueue.engine.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Makes a transaction of the queue's own {@code READ COMMITTED}, whatever the default of
 * its session is: with a stricter isolation, PostgreSQL refuses to enqueue a key that
 * another transaction takes or releases meanwhile. Each session is asked for its default
 * once, so that nothing is sent where it is PostgreSQL's.
 */
public final class IsolationStatement {

	private static final String READ_COMMITTED = "set transaction isolation level read committed";

	/** Whether it is the default of a session. */
	private final Map<PGConnection, Boolean> readCommitted = Collections.synchronizedMap(new WeakHashMap<>());

	/**
	 * Returns whether a transaction of the session is {@code READ COMMITTED} if nobody
	 * chooses its isolation.
	 */
	public boolean isDefault(Connection connection) throws SQLException {
		if (!connection.isWrapperFor(PGConnection.class)) {
			return isReadCommitted(connection); // its session is not known
		}
		PGConnection session = connection.unwrap(PGConnection.class);
		@Nullable Boolean known = this.readCommitted.get(session);
		if (known == null) {
			known = isReadCommitted(connection);
			this.readCommitted.put(session, known);
		}
		return known;
	}

	private static boolean isReadCommitted(Connection connection) throws SQLException {
		return connection.getTransactionIsolation() == Connection.TRANSACTION_READ_COMMITTED;
	}

	/** Executes it in a transaction that no statement has been executed in. */
	public void execute(Connection connection) throws SQLException {
		if (!isDefault(connection)) {
			send(connection);
		}
	}

	/**
	 * Executes it in a transaction that follows a completed one in its session, and that
	 * may have begun: what was executed in it is committed before.
	 */
	public void executeAfterCompletion(Connection connection) throws SQLException {
		@Nullable Integer completed = TransactionSynchronizationManager.getCurrentTransactionIsolationLevel();
		boolean chosen = (completed != null) ? completed == Connection.TRANSACTION_READ_COMMITTED
				: isDefault(connection);
		if (!chosen) {
			connection.commit();
			send(connection);
		}
	}

	private static void send(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(READ_COMMITTED);
		}
	}

}
