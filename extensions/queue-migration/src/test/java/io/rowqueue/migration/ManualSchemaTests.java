package io.rowqueue.migration;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

import javax.sql.DataSource;

import io.rowqueue.schema.Migrations;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.schema.SchemaPart;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** The owner of the database runs the SQL, and the application finds it done. */
class ManualSchemaTests {

	/** Has the tables of the queue, with the grants for an application. */
	@AutoClose
	private static final TestDatabase granted = new TestDatabase();

	private static String application = "";

	@AutoClose
	private final TestDatabase database = new TestDatabase();

	@BeforeAll
	static void createTables() {
		application = granted.createRole();
		granted.execute(print("--grant-to=" + application));
	}

	@Test
	void theScriptIsRecognised() {
		SchemaName schema = new SchemaName("Queue-2 a\"b'c\n--");
		this.database.execute(new QueueSchema(this.database.asOwner(), schema, SchemaMode.VALIDATE).script(Map.of()));
		assertThat(this.database.tables("public")).isNull();
		new QueueSchema(this.database.asOwner(), schema, SchemaMode.VALIDATE).initialize();
		new QueueSchema(this.database.asOwner(), schema, SchemaMode.MIGRATE).initialize();
		new QueueSchema(this.database.asOwner(), schema, SchemaMode.VALIDATE).initialize();
	}

	@Test
	void anOrdinaryRoleCreatesTheSameSchemaAsTheMigrations() {
		this.database.createTables();
		try (TestDatabase other = new TestDatabase()) {
			String role = other.createRole();
			other.execute("do 'begin execute format(''grant create on database %I to " + role
					+ "'', current_database()); end'");
			other.execute(other.as(role), print());
			assertThat(SchemaDescription.of(other)).isEqualTo(SchemaDescription.of(this.database));
		}
	}

	/**
	 * As a library that knew neither the newest version nor today's functions left it.
	 */
	@ParameterizedTest
	@EnumSource(SchemaMode.class)
	void anUpgradeAddsTablesAndReplacesFunctions(SchemaMode mode) {
		int older = SchemaPart.core().newestVersion() - 1;
		Migrations core = SchemaPart.core().migrations();
		String tables = core.all()
			.stream()
			.filter((migration) -> !migration.isRepeatable() && migration.version() <= older)
			.map(core::sql)
			.collect(Collectors.joining());
		this.database.execute("create schema rowqueue; set search_path to rowqueue;" + tables + """
				create function deadline(run_at timestamptz, tolerance interval) returns timestamptz
					language plpgsql as 'begin return null; end'""");
		if (mode == SchemaMode.VALIDATE) {
			this.database.execute(print("--from=core:" + older));
		}
		new QueueSchema(this.database.asOwner(), SchemaName.DEFAULT, mode).initialize();
		try (TestDatabase fresh = new TestDatabase()) {
			fresh.createTables();
			assertThat(SchemaDescription.of(this.database)).isEqualTo(SchemaDescription.of(fresh));
		}
	}

	@Test
	void theHistoryFollowsWhatTheOwnerDid() throws Exception {
		this.database.createTables();
		int version = SchemaPart.core().newestVersion();
		try (OneTransaction transaction = OneTransaction.begin(this.database.asOwner().getConnection())) {
			new FlywayRun(transaction, SchemaName.DEFAULT, SchemaPart.core()).migrateFrom(version);
			transaction.commit();
		}
		assertThat(history()).isEqualTo("BASELINE " + version);
		this.database.execute("update rowqueue.rowqueue_schema_history set version = '0'");
		try (OneTransaction transaction = OneTransaction.begin(this.database.asOwner().getConnection())) {
			new FlywayRun(transaction, SchemaName.DEFAULT, SchemaPart.core()).migrateFrom(version);
			transaction.commit();
		}
		assertThat(history()).isEqualTo("BASELINE " + version);
	}

	@Test
	void theScriptChangesNothingWhenItFails() {
		String script = print("--grant-to=nobody_of_this_name");
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.database.execute(script))
			.withMessageContaining("nobody_of_this_name");
		assertThat(this.database.tables("rowqueue")).isNull();
	}

	@Test
	void theScriptLeavesTheSearchPathOfTheSessionAlone() throws Exception {
		DataSource owner = this.database.asOwner();
		try (var connection = owner.getConnection(); var statement = connection.createStatement()) {
			statement.execute(print("--schema=other"));
			try (var row = statement.executeQuery("show search_path")) {
				row.next();
				assertThat(row.getString(1)).doesNotContain("other");
			}
		}
	}

	@Test
	void theScriptOfALaterVersionChecksTheVersionFirst() {
		this.database.createTables();
		String script = print("--from=" + SchemaVersions.newest());
		this.database.execute(script);
		this.database.execute("delete from rowqueue.schema_version");
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.database.execute(script))
			.withMessageContaining(
					"the part core of the schema is not at version " + SchemaPart.core().newestVersion());
	}

	@Test
	void anApplicationWithTheGrantsRunsJobs() {
		DataSource dataSource = granted.as(application);
		new QueueSchema(dataSource, SchemaName.DEFAULT, SchemaMode.VALIDATE).initialize();
		new QueueSchema(dataSource, SchemaName.DEFAULT, SchemaMode.MIGRATE).initialize();

		granted.execute(dataSource,
				"""
						set search_path to rowqueue;
						insert into worker (name, queues, types) values ('w', '{default}', '{mail}');
						insert into job (run_at, order_at, state, queue, type) values (now(), now(), 'queued', 'default', 'mail');
						update job set state = 'running', worker_id = (select id from worker), lease = lease + 1;
						insert into job_finished (id, run_at, created_at, finished_at, state, priority, attempt, queue, type)
							select id, run_at, created_at, now(), 'succeeded', priority, 1, queue, type from job;
						delete from job;
						insert into maintenance_task (name, next_run_at) values ('another', now());
						insert into job_failure (job_id, failed_at, attempt, error) values (1, now(), 1, 'e');
						""");
		assertThat(granted.query(dataSource, "select count(*) from rowqueue.job_finished")).isEqualTo("1");
	}

	@Test
	void theGrantsAreNotMoreThanAnApplicationNeeds() {
		assertThat(granted.query(granted.as(application),
				"""
						select string_agg(relname || ' ' || privilege, ', ' order by relname, privilege)
						from pg_class, unnest(array['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER', 'REFERENCES']) privilege
						where relnamespace = 'rowqueue'::regnamespace and relkind in ('r', 'p', 'v')
							and has_table_privilege(oid, privilege)
							and (relkind = 'v' or relname in ('schema_version', 'notification_channel', 'job_table')
								or privilege in ('TRUNCATE', 'TRIGGER', 'REFERENCES'))"""))
			.isNull();
		assertThat(granted.query(granted.as(application),
				"select has_schema_privilege('rowqueue', 'CREATE') or exists (select from pg_proc"
						+ " where proname = 'pin_search_path' and has_function_privilege(oid, 'EXECUTE'))"))
			.isEqualTo("f");
	}

	@Test
	void theGrantsSufficeIfPublicHasNoPrivileges() {
		String role = this.database.createRole();
		this.database.execute("alter default privileges revoke execute on functions from public");
		try {
			this.database.execute(print("--grant-to=" + role));
			new QueueSchema(this.database.as(role), SchemaName.DEFAULT, SchemaMode.VALIDATE).initialize();
			assertThat(this.database.query(this.database.as(role), "select rowqueue.enqueue('type')")).isEqualTo("1");
			this.database.execute("create function rowqueue.later() returns integer language sql as 'select 7'");
			assertThat(this.database.query(this.database.as(role), "select rowqueue.later()"))
				.as("a function that the owner adds later")
				.isEqualTo("7");
		}
		finally {
			this.database.execute("alter default privileges grant execute on functions to public");
		}
	}

	/** The name ends a string that most scripts would put it into. */
	@Test
	void noNameOfASchemaEndsTheScript() {
		String name = "$rowqueue_$$rowqueue$$change$;rollback;drop table victim;--";
		this.database.execute("create table victim (id int)");
		this.database.execute(print("--schema=" + name));
		this.database.execute(print("--schema=" + name, "--from=" + SchemaVersions.newest()));
		assertThat(this.database.tables(name)).contains("job_finished");
		assertThat(this.database.tables("public")).isEqualTo("victim");
	}

	@Test
	void theGrantsCoverTablesThatTheOwnerAddsLater() {
		granted.execute("create table rowqueue.job_finished_20300101 partition of rowqueue.job_finished"
				+ " for values from ('2030-01-01') to ('2030-01-02')");
		assertThat(granted.query(granted.as(application), "select count(*) from rowqueue.job_finished_20300101"))
			.isEqualTo("0");
	}

	@Test
	void theScriptPrintsTheWholeSchemaWithoutOptions() {
		assertThat(print()).startsWith("-- Rowqueue: schema rowqueue, from nothing to core:")
			.contains("create schema if not exists \"rowqueue\";", "create table job (")
			.doesNotContain("grant ")
			.endsWith("commit;\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "--from=x", "--from=-1", "--from=5", "--from=core:1000", "--from=core:-1",
			"--from=core:5,another:1", "--schema=", "--schema", "--grant-to=", "--help", "--schema=pg_queue",
			"--grant-to=public" })
	void theScriptExplainsAWrongOption(String option) {
		ByteArrayOutputStream err = new ByteArrayOutputStream();
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		assertThat(PrintSchema.run(new String[] { option }, stream(out), stream(err))).isEqualTo(2);
		assertThat(err.toString(StandardCharsets.UTF_8)).contains("usage: java -cp rowqueue-migration.jar");
		assertThat(out.size()).isZero();
	}

	@Test
	void theScriptRejectsAVersionThatDoesNotExist() {
		QueueSchema schema = new QueueSchema(this.database.asOwner(), SchemaName.DEFAULT, SchemaMode.VALIDATE);
		assertThatIllegalArgumentException().isThrownBy(() -> schema.script(Map.of("core", 1000)))
			.withMessageContaining("1000");
	}

	private String history() {
		return this.database
			.query("select string_agg(type || ' ' || version, ', ') from rowqueue.rowqueue_schema_history");
	}

	private static String print(String... options) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		assertThat(PrintSchema.run(options, stream(out), System.err)).isZero();
		return out.toString(StandardCharsets.UTF_8);
	}

	private static PrintStream stream(ByteArrayOutputStream bytes) {
		return new PrintStream(bytes, true, StandardCharsets.UTF_8);
	}

}
