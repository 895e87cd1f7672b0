package io.rowqueue.migration;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Level;
import io.rowqueue.migration.QueueSchemaException.Reason;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Log;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** The administrator of the database has set timeouts; another session holds locks. */
class StartingUnderTimeoutsTests {

	private static final String LOCK = "select pg_advisory_lock(hashtextextended('rowqueue schema rowqueue', 0))";

	private static final String UNLOCK = "select pg_advisory_unlock_all()";

	private final TestDatabase database = new TestDatabase();

	@AfterEach
	void removeRoles() {
		this.database.close();
	}

	@Test
	void aProcessThatWaitsForAnotherIsNotCancelledByTimeoutsOfTheDatabase() throws Exception {
		try (Connection other = this.database.asOwner().getConnection();
				Statement statement = other.createStatement()) {
			statement.execute(LOCK);
			List<String> timeouts = List.of(this.database
				.query("select string_agg(name, ' ') from pg_settings where name in ("
						+ "'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')")
				.split(" "));
			assertThat(timeouts).hasSizeBetween(3, 4);
			for (String timeout : timeouts) {
				statement.execute("do $$ begin execute format('alter database %I set " + timeout
						+ " = ''250ms''', current_database()); end $$");
			}
			CompletableFuture<Void> start = Async.run(schema(Duration.ofMinutes(1))::initialize);
			awaitWaiting(start, statement);
			statement.execute("select pg_sleep(1)");
			assertThat(start).as("four times as long as each timeout").isNotDone();
			statement.execute(UNLOCK);
			start.get(1, TimeUnit.MINUTES);
			statement.execute("do $$ begin execute format('alter database %I reset all', current_database()); end $$");
		}
		assertThat(this.database.tables("rowqueue")).isEqualTo(MigratingTests.TABLES);
	}

	@Test
	void theLockOfTheSchemaIsNotWaitedForWithoutEndAndItsHolderIsNamed() throws Exception {
		String role = this.database.createRole();
		try (Log log = new Log(MigrationTurn.class);
				Connection other = this.database.as(role).getConnection();
				Statement statement = other.createStatement()) {
			statement.execute("set application_name = 'another application'");
			statement.execute(LOCK);
			assertThatExceptionOfType(QueueSchemaException.class)
				.isThrownBy(() -> schema(Duration.ofMillis(600)).initialize())
				.satisfies((ex) -> {
					assertThat(ex.getReason()).isEqualTo(Reason.FAILED);
					assertThat(ex.getProblem()).contains("pid " + backend(statement), "'another application'", role);
					assertThat(ex.getRemedy()).contains("pg_terminate_backend");
				});
			assertThat(log.lines(Level.WARN)).hasSize(5).allSatisfy((line) -> assertThat(line).contains("pid ", role));
			statement.execute(UNLOCK);
		}
		schema(Duration.ofMillis(600)).initialize();
		assertThat(this.database.tables("rowqueue")).isEqualTo(MigratingTests.TABLES);
	}

	@Test
	void aSchemaThatIsInPlaceNeedsNoLock() throws Exception {
		schema(Duration.ofMinutes(1)).initialize();
		try (Connection other = this.database.asOwner().getConnection();
				Statement statement = other.createStatement()) {
			statement.execute(LOCK);
			schema(Duration.ofMillis(60)).initialize();
		}
	}

	/** It may be one of the application's pool. */
	@Test
	void theConnectionHasItsTimeoutsAfterwards() throws Exception {
		try (Connection connection = this.database.asOwner().getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute("set lock_timeout = '42s'");
			OneTransaction transaction = OneTransaction.begin(connection);
			new MigrationTurn(connection, SchemaName.DEFAULT, Duration.ofMinutes(1)).await();
			transaction.commit();
			transaction.close();
			try (var row = statement.executeQuery("show lock_timeout")) {
				row.next();
				assertThat(row.getString(1)).isEqualTo("42s");
			}
		}
	}

	private QueueSchema schema(Duration patience) {
		return new QueueSchema(this.database.asOwner(), SchemaName.DEFAULT, SchemaMode.MIGRATE, patience);
	}

	/** Asks in a session to which the timeouts do not apply. */
	private static void awaitWaiting(CompletableFuture<Void> start, Statement statement) {
		await().pollInSameThread()
			.atMost(Duration.ofMinutes(1))
			.until(() -> start.isDone() || !value(statement,
					"select count(*) from pg_locks where locktype = 'advisory' and not granted"
							+ " and database = (select oid from pg_database where datname = current_database())")
				.equals("0"));
	}

	private static String backend(Statement statement) throws Exception {
		return value(statement, "select pg_backend_pid()");
	}

	private static String value(Statement statement, String query) throws Exception {
		try (var row = statement.executeQuery(query)) {
			row.next();
			return row.getString(1);
		}
	}

}
