package io.rowqueue.dashboard;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;

import io.rowqueue.autoconfigure.connection.ReadPool;
import io.rowqueue.autoconfigure.connection.ReadPools;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.http.ProblemException;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The dashboard's own connections. */
class ConnectionsTests {

	private static final Duration SECONDS = Duration.ofSeconds(20);

	private final Host host = Hosts.of(Host.Kind.SERVLET);

	private final ReadPools pools = this.host.bean(ReadPools.class);

	@Test
	void noneIsOpenBeforeTheFirstRead() {
		try (ReadPool pool = this.pools.create("rowqueue-idle", 1, SECONDS)) {
			assertThat(sessions("rowqueue-idle")).isZero();
			assertThat(pool.<Integer>read(() -> 1)).isOne();
			assertThat(sessions("rowqueue-idle")).isOne();
		}
	}

	@Test
	void nothingCanBeWritten() {
		try (ReadPool pool = this.pools.create("rowqueue-reader", 1, SECONDS)) {
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> pool.read(() -> pool.database().update("delete from {schema}.job")))
				.withMessageContaining("read-only transaction");
		}
	}

	@Test
	void aStatementThatTakesTooLongIsABusyDatabase() {
		try (ReadPool pool = this.pools.create("rowqueue-slow", 1, Duration.ofMillis(100))) {
			assertThatExceptionOfType(ProblemException.class)
				.isThrownBy(() -> new Reads(pool).read(
						(at) -> pool.database().query("select pg_sleep(600)::text", (row, index) -> row.getString(1))))
				.satisfies((ex) -> assertThat(ex.problem().type()).endsWith("database-busy"))
				.satisfies((ex) -> assertThat(ex.problem().retryAfter()).isNotNull());
		}
	}

	/** The words of the database may quote what is hidden, and stay in the log. */
	@Test
	void aServerThatDoesNotAnswerIsADatabaseThatIsAway() {
		SQLException refused = new SQLException("Connection to db.internal refused", "08001");
		problem("database-away", refused);
		problem("database-away", new SQLTransientConnectionException("timed out after 5000ms", "08001", refused));
	}

	@Test
	void aPoolWithoutAFreeConnectionIsABusyDatabase() {
		problem("database-busy", new SQLTransientConnectionException("timed out after 5000ms"));
	}

	private static void problem(String code, SQLException cause) {
		assertThatExceptionOfType(ProblemException.class).isThrownBy(() -> Reads.guarded(() -> {
			throw new CannotGetJdbcConnectionException("Failed to obtain JDBC Connection", cause);
		})).satisfies((ex) -> {
			assertThat(ex.problem().type()).endsWith(code);
			assertThat(ex.problem().detail()).doesNotContain("db.internal").doesNotContain("timed out");
		});
	}

	private long sessions(String name) {
		return this.host.jdbc()
			.sql("select count(*) from pg_stat_activity where datname = current_database() and application_name = ?")
			.param(name)
			.query(Long.class)
			.single();
	}

}
