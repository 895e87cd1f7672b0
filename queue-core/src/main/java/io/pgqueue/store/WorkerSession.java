package io.pgqueue.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

import javax.sql.DataSource;

import io.pgqueue.schema.SchemaName;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * The one connection that a worker keeps: it listens for wake-ups and holds an advisory
 * lock on the worker's id. The server drops the lock when the process dies, which tells
 * the others sooner than a heartbeat that grows old. Behind a pooler in transaction mode
 * neither works, and nothing depends on it: polling and heartbeats remain.
 */
public final class WorkerSession implements AutoCloseable {

	/**
	 * A lock that somebody else holds must not be taken for a sign of this worker's life.
	 */
	private static final String LOCK = """
			update {schema}.worker set session_locked = pg_try_advisory_lock(?, ?) where id = ?""";

	private final Connection connection;

	private WorkerSession(Connection connection) {
		this.connection = connection;
	}

	/**
	 * Opens the session of a worker.
	 * @param dataSource where to connect
	 * @param schema the schema of the queue
	 * @param workerId the worker
	 * @return the session, listening
	 * @throws SQLException if the database is away or refuses
	 */
	public static WorkerSession open(DataSource dataSource, SchemaName schema, long workerId) throws SQLException {
		Connection connection = dataSource.getConnection();
		try (Statement listen = connection.createStatement();
				PreparedStatement lock = connection.prepareStatement(Sql.in(schema, LOCK))) {
			connection.setAutoCommit(true);
			listen.execute("listen " + WakeUpStatement.channel(schema));
			lock.setInt(1, WorkerStore.lockSpace(schema));
			lock.setInt(2, (int) workerId);
			lock.setLong(3, workerId);
			lock.execute();
			return new WorkerSession(connection);
		}
		catch (SQLException | RuntimeException ex) {
			connection.close();
			throw ex;
		}
	}

	/**
	 * Waits for wake-ups.
	 * @param timeout how long to wait at most
	 * @return the queues that have new jobs
	 * @throws SQLException if the session is broken
	 */
	public Set<String> await(Duration timeout) throws SQLException {
		int millis = Math.max(1, Math.toIntExact(timeout.toMillis())); // 0 would wait for
																		// ever
		PGNotification[] notifications = this.connection.unwrap(PGConnection.class).getNotifications(millis);
		Set<String> queues = new LinkedHashSet<>();
		if (notifications != null) {
			for (PGNotification notification : notifications) {
				queues.add(notification.getParameter());
			}
		}
		return queues;
	}

	/** Gives the connection back; no pool may hand out its lock. */
	@Override
	public void close() throws SQLException {
		try (Connection open = this.connection) {
			if (open.isValid(1)) {
				release(open);
			}
		}
	}

	private static void release(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute("select pg_advisory_unlock_all()");
			statement.execute("unlisten *");
		}
	}

}
