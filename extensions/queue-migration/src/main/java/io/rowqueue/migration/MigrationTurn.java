package io.rowqueue.migration;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;

import io.rowqueue.schema.SchemaName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The advisory lock of a schema. Of several processes that start at the same time, the
 * one that holds the lock creates or upgrades the tables, and the others wait until its
 * transaction has ended. Since any role can take an advisory lock, the wait has a
 * timeout, and messages name the session that holds the lock.
 */
final class MigrationTurn {

	static final Duration TIMEOUT = Duration.ofMinutes(5);

	/** The wait is split, so that a socket timeout of the data source does not end it. */
	private static final int WAITS = 60;

	/** The number of parts of the wait between two log lines. */
	private static final int WAITS_PER_LOG_LINE = 12;

	/** The SQL state of a lock timeout. */
	static final String LOCK_NOT_AVAILABLE = "55P03";

	private static final String KEY = "hashtextextended('rowqueue schema ' || ?, 0)";

	private static final String HOLDER = """
			select l.pid, coalesce(a.application_name, ''), coalesce(a.usename, '')
			from (select %s as key) k
			join pg_locks l on l.locktype = 'advisory' and l.granted and l.objsubid = 1
				and l.database = (select oid from pg_database where datname = current_database())
				and l.classid = ((k.key >> 32) & 4294967295)::oid and l.objid = (k.key & 4294967295)::oid
			left join pg_stat_activity a on a.pid = l.pid
			limit 1""".formatted(KEY);

	private static final Logger logger = LoggerFactory.getLogger(MigrationTurn.class);

	private final Connection connection;

	private final SchemaName schema;

	private final Duration timeout;

	MigrationTurn(Connection connection, SchemaName schema, Duration timeout) {
		this.connection = connection;
		this.schema = schema;
		this.timeout = timeout;
	}

	/**
	 * Waits for the lock, which the transaction then holds until it ends.
	 * @throws QueueSchemaException if another session holds the lock for too long
	 */
	void await() throws SQLException {
		Duration wait = this.timeout.dividedBy(WAITS);
		for (int i = 1; !lock(wait); i++) {
			String holder = holder();
			if (i >= WAITS) {
				throw new StartRefusals(this.schema).lockIsHeld(holder, this.timeout);
			}
			if (i % WAITS_PER_LOG_LINE == 1) {
				logger
					.warn("The schema '{}' must be created or upgraded: waiting for {}, which holds its advisory lock."
							+ " Usually that is another process that upgrades it", this.schema, holder);
			}
		}
	}

	private boolean lock(Duration timeout) throws SQLException {
		Savepoint before = this.connection.setSavepoint();
		try (PreparedStatement limit = this.connection.prepareStatement("select set_config('lock_timeout', ?, true)");
				PreparedStatement lock = this.connection
					.prepareStatement("select pg_advisory_xact_lock(" + KEY + ")")) {
			limit.setString(1, timeout.toMillis() + "ms");
			limit.execute();
			lock.setString(1, this.schema.value());
			lock.execute();
		}
		catch (SQLException ex) {
			if (!LOCK_NOT_AVAILABLE.equals(ex.getSQLState())) {
				throw ex;
			}
			this.connection.rollback(before);
			return false;
		}
		this.connection.releaseSavepoint(before);
		return true;
	}

	private String holder() throws SQLException {
		try (PreparedStatement statement = this.connection.prepareStatement(HOLDER)) {
			statement.setString(1, this.schema.value());
			try (ResultSet row = statement.executeQuery()) {
				return row.next() ? "the session with pid %s (application '%s', role '%s')".formatted(row.getInt(1),
						row.getString(2), row.getString(3)) : "a session that has ended meanwhile";
			}
		}
	}

}
