package io.rowqueue.engine.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;

import javax.sql.DataSource;

import io.rowqueue.postgres.DevPostgres;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The administrator of the database has set each timeout that PostgreSQL has. */
class SessionSettingsTests {

	/** Longer than a test takes: they apply to its own sessions, too. */
	private static final String ADMINISTRATORS = "54321000";

	/** Those of the network and of replication are no limits of statements. */
	private static final String TIMEOUTS = "select name, setting from pg_settings where name like '%timeout'"
			+ " and context = 'user' and name not in ('tcp_user_timeout', 'wal_sender_timeout')";

	private PGSimpleDataSource database;

	@BeforeEach
	void setTimeouts() throws SQLException {
		this.database = DevPostgres.shared().createDatabase("timeouts").dataSource();
		try (Connection connection = this.database.getConnection();
				Statement statement = connection.createStatement()) {
			for (String name : timeouts(connection).keySet()) {
				statement.execute("do $$ begin execute format('alter database %I set " + name + " = " + ADMINISTRATORS
						+ "', current_database()); end $$");
			}
		}
	}

	@Test
	void noneOfThemAppliesToAWorker() throws SQLException {
		try (Connection connection = this.database.getConnection()) {
			assertThat(timeouts(connection)).as("set").containsKey("lock_timeout").hasSizeGreaterThan(3);
			assertThat(timeouts(connection).values()).containsOnly(ADMINISTRATORS);
		}
		try (Connection worker = worker(this.database, false).getConnection()) {
			assertThat(timeouts(worker)).doesNotContainValue(ADMINISTRATORS).containsEntry("lock_timeout", "5000");
		}
	}

	@Test
	void aLentConnectionIsGivenBackWithAllOfThem() throws SQLException {
		try (Connection lent = this.database.getConnection()) {
			worker(new SingleConnectionDataSource(lent, true), true).getConnection().close();
			assertThat(timeouts(lent).values()).containsOnly(ADMINISTRATORS);
		}
	}

	@Test
	void noneOfThemAppliesToATransactionBehindAPooler() throws SQLException {
		try (Connection connection = this.database.getConnection();
				Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute(new SessionSettings(StatementTimeouts.DEFAULT).forTransaction());
			assertThat(timeouts(connection)).doesNotContainValue(ADMINISTRATORS);
			connection.rollback();
			assertThat(timeouts(connection).values()).containsOnly(ADMINISTRATORS);
		}
	}

	private static DataSource worker(DataSource target, boolean lent) {
		return new WorkerDataSource(target, lent, null, StatementTimeouts.DEFAULT);
	}

	private static Map<String, String> timeouts(Connection connection) throws SQLException {
		Map<String, String> timeouts = new TreeMap<>();
		try (Statement statement = connection.createStatement(); ResultSet row = statement.executeQuery(TIMEOUTS)) {
			while (row.next()) {
				timeouts.put(row.getString("name"), row.getString("setting"));
			}
		}
		return timeouts;
	}

}
