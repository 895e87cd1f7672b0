package io.pgqueue.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

import javax.sql.DataSource;

import io.pgqueue.schema.SchemaName;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * The one connection that a worker keeps: it listens for wake-ups and holds an advisory
 * lock on the worker's id. The server drops the lock when the process dies, which tells
 * the others sooner than a heartbeat that grows old. Behind a pooler neither works, and
 * nothing depends on it: polling and heartbeats remain.
 */
public final class WorkerSession implements AutoCloseable {

	/**
	 * A lock that somebody else holds must not be taken for a sign of this worker's life.
	 */
	private static final String LOCK = """
			update {schema}.worker set session_locked = pg_try_advisory_lock(?, ?) where id = ?""";

	private final Connection connection;

	private final String echoes;

	private boolean echoed;

	private WorkerSession(Connection connection, String echoes) {
		this.connection = connection;
		this.echoes = echoes;
	}

	/**
	 * Opens a session that listens, of a worker that knows of no pooler in between.
	 * @param dataSource where to connect
	 * @param schema the schema of the queue
	 * @param workerId the worker
	 * @return the session
	 * @throws SQLException if the database is away or refuses
	 */
	public static WorkerSession open(DataSource dataSource, SchemaName schema, long workerId) throws SQLException {
		return open(dataSource, schema, workerId, true)
			.orElseThrow(() -> new SQLException("There is a pooler before the server"));
	}

	/**
	 * Opens the session of a worker.
	 * @param dataSource where to connect
	 * @param schema the schema of the queue
	 * @param workerId the worker
	 * @param listen whether to listen for wake-ups
	 * @return the session; nothing: the connection leads to a pooler, which would pass
	 * lock and notifications on to others
	 * @throws SQLException if the database is away or refuses
	 */
	public static Optional<WorkerSession> open(DataSource dataSource, SchemaName schema, long workerId, boolean listen)
			throws SQLException {
		Connection connection = dataSource.getConnection();
		try {
			connection.setAutoCommit(true);
			if (Pooler.isBehind(connection)) {
				connection.close();
				return Optional.empty();
			}
			String echoes = WakeUpStatement.echoChannel(schema, workerId);
			if (listen) {
				listen(connection, WakeUpStatement.channel(schema), echoes);
			}
			lock(connection, schema, workerId);
			return Optional.of(new WorkerSession(connection, echoes));
		}
		catch (SQLException | RuntimeException ex) {
			connection.close();
			throw ex;
		}
	}

	private static void listen(Connection connection, String... channels) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			for (String channel : channels) {
				statement.execute("listen " + channel);
			}
		}
	}

	private static void lock(Connection connection, SchemaName schema, long workerId) throws SQLException {
		try (PreparedStatement lock = connection.prepareStatement(Sql.in(schema, LOCK))) {
			lock.setInt(1, WorkerStore.lockSpace(schema));
			lock.setInt(2, (int) workerId);
			lock.setLong(3, workerId);
			lock.execute();
		}
	}

	/**
	 * Waits for wake-ups.
	 * @param timeout how long to wait at most
	 * @return the queues that have new jobs
	 * @throws SQLException if the session is broken
	 */
	public Set<String> await(Duration timeout) throws SQLException {
		// 0 would wait for ever
		int millis = Math.max(1, Math.toIntExact(timeout.toMillis()));
		PGNotification[] notifications = this.connection.unwrap(PGConnection.class).getNotifications(millis);
		Set<String> queues = new LinkedHashSet<>();
		if (notifications != null) {
			for (PGNotification notification : notifications) {
				if (notification.getName().equals(this.echoes)) {
					this.echoed = true;
				}
				else {
					queues.add(notification.getParameter());
				}
			}
		}
		return queues;
	}

	/** Whether the worker's own notification has arrived since this was asked last. */
	public boolean hasEchoed() {
		boolean before = this.echoed;
		this.echoed = false;
		return before;
	}

	/**
	 * Asks the server whether it is there.
	 * @throws SQLException if it is not
	 */
	public void check() throws SQLException {
		if (!this.connection.isValid(5)) {
			throw new SQLException("The server no longer answers the worker's session", "08006");
		}
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
