package io.rowqueue.engine.measure;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.postgres.PrivatePostgres;
import io.rowqueue.postgres.StopMode;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.MigratedDatabase;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who keeps dead rows from being removed besides sessions: on a server that allows
 * prepared transactions, has replication slots, and feeds a standby.
 */
class HorizonPinsTests {

	private static PrivatePostgres primary;

	private static JdbcTemplate jdbc;

	private static HorizonStore store;

	@BeforeAll
	static void startServer(@TempDir(cleanup = CleanupMode.NEVER) Path directory) {
		try {
			primary = PrivatePostgres.create(directory.resolve("primary"),
					Map.of("max_prepared_transactions", "5", "wal_level", "logical", "fsync", "off"));
		}
		catch (IllegalStateException ex) {
			Assumptions.abort("This needs a server of its own: " + ex.getMessage());
		}
		jdbc = new JdbcTemplate(primary.database().dataSource());
		MigratedDatabase.migrate(primary.database().dataSource());
		store = new HorizonStore(new QueueDatabase(jdbc, SchemaName.DEFAULT));
	}

	@AfterAll
	static void stopServer() {
		if (primary != null) {
			primary.close();
		}
	}

	@Test
	void aPreparedTransactionIsNamedAndKeepsRowsFromBeingRemoved() throws Exception {
		prepare("order 4711");
		oneTransaction();
		assertThat(pins("prepared transaction")).singleElement().satisfies((pin) -> {
			assertThat(pin.who()).isEqualTo("order 4711");
			assertThat(pin.age()).isPositive();
			assertThat(pin.seconds()).isNotNegative();
		});
		assertThat(measured()).contains("prepared transaction: order 4711");
		leaveDeadRows(100);
		await().until(HorizonPinsTests::deadRowsAfterAVacuum, (rows) -> rows == 100);

		jdbc.execute("rollback prepared 'order 4711'");
		assertThat(pins("prepared transaction")).isEmpty();
		await().until(HorizonPinsTests::deadRowsAfterAVacuum, (rows) -> rows == 0);
	}

	@Test
	void aStandbyIsNamedThatReportsAnOldSnapshotByItself(@TempDir(cleanup = CleanupMode.NEVER) Path directory)
			throws Exception {
		try (PrivatePostgres standby = primary.standby(directory.resolve("standby"), "reports");
				Connection report = report(standby, null)) {
			oneTransaction();
			await().until(() -> pins("standby"), (pins) -> !pins.isEmpty());
			assertThat(pins("standby")).singleElement()
				.satisfies((pin) -> assertThat(pin.who()).startsWith("process ").endsWith("(reports)"));
			assertThat(pins("session")).noneMatch((pin) -> pin.who().contains("reports"));
		}
	}

	@Test
	void aSlotIsNamedWhoseStandbyReportedAnOldSnapshotAlsoWhenThatIsGone(
			@TempDir(cleanup = CleanupMode.NEVER) Path directory) throws Exception {
		jdbc.query("select pg_create_physical_replication_slot('archive')", (row, index) -> 0);
		try (PrivatePostgres standby = primary.standby(directory.resolve("standby"), "archive")) {
			try (Connection report = report(standby, "archive")) {
				await().until(() -> pins("replication slot"), (pins) -> !pins.isEmpty());
				standby.stop(StopMode.IMMEDIATE);
			}
			oneTransaction();
			assertThat(pins("replication slot")).singleElement().satisfies((pin) -> {
				assertThat(pin.who()).isEqualTo("archive");
				assertThat(pin.age()).isPositive();
				assertThat(pin.seconds()).as("a slot does not know since when").isNull();
			});
		}
		await().until(() -> jdbc.query("select active from pg_replication_slots where slot_name = 'archive'",
				(row, index) -> row.getBoolean(1)), (active) -> active.equals(List.of(false)));
		jdbc.query("select pg_drop_replication_slot('archive')", (row, index) -> 0);
		assertThat(pins("replication slot")).isEmpty();
	}

	/** It keeps rows of the catalog, not those of jobs. */
	@Test
	void aLogicalSlotIsNotBlamed() {
		jdbc.query("select pg_create_logical_replication_slot('changes', 'pgoutput')", (row, index) -> 0);
		oneTransaction();
		assertThat(pins("replication slot")).noneMatch((pin) -> pin.who().equals("changes"));
		jdbc.query("select pg_drop_replication_slot('changes')", (row, index) -> 0);
	}

	@Test
	void aRoleWithoutPrivilegesSeesThePins() throws Exception {
		jdbc.execute("create role application login password 'application'");
		jdbc.execute("grant usage on schema rowqueue to application");
		prepare("by another role");
		HorizonStore ofApplication = new HorizonStore(new QueueDatabase(
				new JdbcTemplate(new DriverManagerDataSource(primary.database().url(), "application", "application")),
				SchemaName.DEFAULT));
		assertThat(ofApplication.pins()).extracting(HorizonPin::who).contains("by another role");
		jdbc.execute("rollback prepared 'by another role'");
	}

	private static void prepare(String name) throws Exception {
		try (Connection connection = primary.database().dataSource().getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute("begin");
			statement.execute("create table prepared (id int)");
			statement.execute("prepare transaction '" + name + "'");
		}
	}

	private static Connection report(PrivatePostgres standby, String slot) throws Exception {
		JdbcTemplate settings = new JdbcTemplate(standby.database().dataSource());
		settings.execute("alter system set hot_standby_feedback = on");
		settings.execute("alter system set wal_receiver_status_interval = '1s'");
		if (slot != null) {
			settings.execute("alter system set primary_slot_name = '" + slot + "'");
		}
		settings.execute("select pg_reload_conf()");
		Connection report = standby.database().dataSource().getConnection();
		report.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
		report.setAutoCommit(false);
		try (Statement statement = report.createStatement()) {
			statement.execute("select from rowqueue.job");
		}
		return report;
	}

	private static List<HorizonPin> pins(String kind) {
		return store.pins().stream().filter((pin) -> pin.kind().equals(kind)).toList();
	}

	/** What meters and health show. */
	private static List<String> measured() {
		MeasurementStore measurements = new MeasurementStore(new QueueDatabase(jdbc, SchemaName.DEFAULT));
		measurements.measure(Duration.ZERO);
		Measurement measurement = measurements.read().orElseThrow();
		return measurement.figures()
			.stream()
			.filter((figure) -> figure.name().equals(Figure.HORIZON_AGE))
			.map((figure) -> figure.state() + ": " + figure.text())
			.toList();
	}

	private static void oneTransaction() {
		jdbc.execute("select pg_current_xact_id()");
	}

	private static void leaveDeadRows(int rows) {
		jdbc.execute("insert into rowqueue.job (run_at, order_at, state, queue, type)"
				+ " select now(), now(), 'queued', 'default', 'type' from generate_series(1, " + rows + ")");
		jdbc.execute("delete from rowqueue.job");
	}

	private static long deadRowsAfterAVacuum() {
		store.vacuum();
		return store.deadRows();
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofMinutes(3));
	}

}
