package io.rowqueue.engine.worker;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;

import javax.sql.DataSource;

import io.rowqueue.engine.database.NotificationFloodException;
import io.rowqueue.engine.database.Pooler;
import io.rowqueue.engine.database.ReadBound;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.postgresql.core.BaseConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one connection that a worker keeps: it listens for wake-ups and holds an advisory
 * lock on the worker's id. The server drops the lock when the process dies, which the
 * others notice sooner than a heartbeat that grows old. Behind a pooler neither works,
 * and nothing depends on it: polling and heartbeats remain.
 */
public final class WorkerSession implements AutoCloseable {

	/**
	 * A lock that another session holds must not be taken for a sign of this worker's
	 * life.
	 */
	private static final String LOCK = """
			update {schema}.worker set session_locked = pg_try_advisory_lock(?, ?) where id = ?""";

	private static final String CHANNEL = """
			select {schema}.wake_up_channel()""";

	/** Some hundred thousand notifications of queues: hours of them at the usual rate. */
	static final long MAX_BYTES = 8 * 1024 * 1024;

	/** The same for connections whose bytes are not counted. */
	static final int MAX_NOTIFICATIONS = 200_000;

	/** No queue has a longer name: 200 characters, each of two chars. */
	private static final int LONGEST_NAME = 400;

	private static final Logger logger = LoggerFactory.getLogger(WorkerSession.class);

	private final Connection connection;

	private final String limited;

	private final String outbox;

	private final String deferred;

	private final String echoes;

	private boolean echoed;

	private WorkerSession(Connection connection, String channel, long workerId) {
		this.connection = connection;
		this.limited = channel + "_limited";
		this.outbox = channel + "_outbox";
		this.deferred = channel + "_deferred";
		this.echoes = channel + "_" + workerId;
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
			return Optional.of(ReadBound.within(MAX_BYTES, () -> begin(connection, schema, workerId, listen)));
		}
		catch (SQLException | RuntimeException ex) {
			connection.close();
			throw ex;
		}
	}

	private static WorkerSession begin(Connection connection, SchemaName schema, long workerId, boolean listen)
			throws SQLException {
		String channel = listen ? channel(connection, schema) : "";
		WorkerSession session = new WorkerSession(connection, channel, workerId);
		if (listen) {
			listen(connection, channel, session.limited, session.outbox, session.deferred, session.echoes);
		}
		lock(connection, schema, workerId);
		return session;
	}

	private static String channel(Connection connection, SchemaName schema) throws SQLException {
		try (Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery(Sql.in(schema, CHANNEL))) {
			row.next();
			return row.getString(1);
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
	 * @return the jobs that have arrived
	 * @throws NotificationFloodException if there are too many: {@link #abort()} is all
	 * that can be done
	 * @throws SQLException if the session is broken
	 */
	public Arrivals await(Duration timeout) throws SQLException {
		// 0 would wait for ever
		int millis = Math.max(1, Math.toIntExact(timeout.toMillis()));
		Arrivals.Builder arrivals = new Arrivals.Builder();
		for (PGNotification notification : receive(millis)) {
			if (notification.getName().equals(this.echoes)) {
				this.echoed = true;
			}
			else if (notification.getName().equals(this.outbox)) {
				arrivals.addToOutbox();
			}
			else if (notification.getName().equals(this.deferred)) {
				arrivals.addDeferred();
			}
			else if (notification.getParameter().length() <= LONGEST_NAME) {
				arrivals.add(notification.getParameter(), notification.getName().equals(this.limited));
			}
		}
		return arrivals.build();
	}

	private PGNotification[] receive(int millis) throws SQLException {
		PGNotification[] received;
		try {
			received = ReadBound.within(MAX_BYTES,
					() -> this.connection.unwrap(PGConnection.class).getNotifications(millis));
		}
		catch (SQLException ex) {
			if (ReadBound.isExceeded(ex)) {
				received = this.connection.unwrap(BaseConnection.class).getQueryExecutor().getNotifications();
				throw flood(received, ex);
			}
			throw ex;
		}
		if (received != null && received.length > MAX_NOTIFICATIONS) {
			throw flood(received, null);
		}
		return (received != null) ? received : new PGNotification[0];
	}

	private static NotificationFloodException flood(PGNotification[] received, @Nullable SQLException cause) {
		int notifier = (received.length > 0) ? received[received.length - 1].getPID() : 0;
		return new NotificationFloodException(notifier, cause);
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
		if (!isValid(5)) {
			throw new SQLException("The server no longer answers the worker's session", "08006");
		}
	}

	/** Reads what has arrived meanwhile, too. */
	private boolean isValid(int seconds) throws SQLException {
		return ReadBound.within(MAX_BYTES, () -> this.connection.isValid(seconds));
	}

	/** Gives the connection back; no pool may hand out its lock. */
	@Override
	public void close() throws SQLException {
		try (Connection open = this.connection) {
			if (isValid(1)) {
				release(open);
			}
		}
	}

	/** Breaks the connection, whatever there is still to read. */
	public void abort() {
		try (Connection broken = this.connection) {
			broken.abort(Runnable::run);
		}
		catch (SQLException ex) { // a pool notices that it is broken
			logger.debug("The session of a worker has ended", ex);
		}
	}

	private static void release(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute("select pg_advisory_unlock_all()");
			statement.execute("unlisten *");
		}
	}

}
