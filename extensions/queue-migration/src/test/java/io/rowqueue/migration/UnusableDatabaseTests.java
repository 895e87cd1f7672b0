package io.rowqueue.migration;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

import javax.sql.DataSource;

import ch.qos.logback.classic.Level;
import io.rowqueue.migration.QueueSchemaException.Reason;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.schema.SchemaPart;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.Proxies;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** A database that the queue cannot use is refused at start, with the remedy. */
class UnusableDatabaseTests {

	/** Has the tables of the queue; a test that changes them undoes it. */
	@AutoClose
	private static final TestDatabase migrated = new TestDatabase();

	@AutoClose
	private static final TestDatabase empty = new TestDatabase();

	private final Deque<String> undo = new ArrayDeque<>();

	@BeforeAll
	static void createTables() {
		migrated.createTables();
	}

	@AfterEach
	void undoChanges() {
		this.undo.forEach(migrated::execute);
		migrated.removeRoles();
		empty.execute("drop schema if exists rowqueue, \"Queue-2\" cascade");
		empty.removeRoles();
	}

	@Test
	void anotherProduct() {
		refusal(stub(Map.of("getDatabaseProductName", "H2", "getDatabaseProductVersion", "2.4")), SchemaMode.MIGRATE)
			.is(Reason.NOT_POSTGRESQL, "H2 2.4", "PostgreSQL 15 or newer");
	}

	@Test
	void anOldServer() {
		refusal(stub("PostgreSQL 14.20 on x86_64-pc-linux-gnu", "localhost",
				Map.of("getDatabaseProductVersion", "14.20", "getDatabaseMajorVersion", 14)), SchemaMode.MIGRATE)
			.is(Reason.SERVER_TOO_OLD, "PostgreSQL 14.20", "Upgrade the server", "such as Spanner");
	}

	/** The version that they report as that of PostgreSQL does not matter. */
	@ParameterizedTest
	@CsvSource({ "CockroachDB,CockroachDB CCL v25.2.1 (x86_64-pc-linux-gnu),localhost",
			"YugabyteDB,'PostgreSQL 15.12-YB-2025.1.0.0-b0 on x86_64-pc-linux-gnu',localhost",
			"Aurora DSQL,PostgreSQL 16,abc.dsql.eu-west-1.on.aws" })
	void anotherEngineThatSpeaksTheProtocol(String engine, String version, String host) {
		refusal(stub(version, host, Map.of()), SchemaMode.MIGRATE).is(Reason.NOT_POSTGRESQL,
				"connects to " + engine + " (" + version + ")", "connects to PostgreSQL 15 or newer");
	}

	@Test
	void aServerThatIsNewerThanTheTestsIsUsedWithAWarning() {
		DataSource newer = newer(migrated.asOwner());
		QueueSchema schema = new QueueSchema(newer);
		try (Log log = new Log(QueueSchema.class)) {
			assertThat(schema.isCurrent(newer)).as("there is something to warn of").isFalse();
			schema.initialize();
			assertThat(log.lines(Level.WARN)).singleElement()
				.asString()
				.contains("PostgreSQL 99.1", "tested with 15 to 18");
		}
	}

	@Test
	void noServer() {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl("jdbc:postgresql://localhost:1/nothing");
		refusal(dataSource, SchemaMode.MIGRATE).is(Reason.NO_CONNECTION, "localhost:1", "Check that the server is up");
	}

	/** The driver says only that the attempt to connect failed. */
	@Test
	void anUnknownHost() {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl("jdbc:postgresql://no-such-host.invalid/nothing");
		refusal(dataSource, SchemaMode.MIGRATE).is(Reason.NO_CONNECTION, "UnknownHostException: no-such-host.invalid",
				"Check that the server is up");
	}

	@ParameterizedTest
	@EnumSource
	void aReadOnlyServer(SchemaMode mode) {
		String role = migrated.createRole();
		migrated.execute("alter role " + role + " set default_transaction_read_only = on");
		refusal(migrated.as(role), mode).is(Reason.READ_ONLY, "is read-only", "targetServerType=primary",
				"reset default_transaction_read_only");
	}

	@ParameterizedTest
	@EnumSource
	void aServerThatReadsBackslashesAsEscapes(SchemaMode mode) {
		String role = migrated.createRole();
		migrated.execute("alter role " + role + " set standard_conforming_strings = off");
		refusal(migrated.as(role), mode).is(Reason.UNSUITABLE_SETTING, "standard_conforming_strings is off",
				"set standard_conforming_strings = on");
	}

	@ParameterizedTest
	@EnumSource
	void aNewerSchema(SchemaMode mode) {
		change("insert into rowqueue.schema_version (part, version) values ('core', 999)",
				"delete from rowqueue.schema_version where version = 999");
		refusal(migrated.asOwner(), mode).is(Reason.SCHEMA_NEWER,
				"core at version 999 (this library has version " + SchemaPart.core().newestVersion() + ")",
				"or a newer one");
	}

	@Test
	void noSchemaWhereNoneMayBeCreated() {
		refusal(empty.asOwner(), SchemaMode.VALIDATE).is(Reason.SCHEMA_MISSING, "in the schema 'rowqueue'",
				"io.rowqueue.migration.PrintSchema --schema=rowqueue --grant-to=");
	}

	@Test
	void anOlderSchemaWhereNoneMayBeUpgraded() {
		empty.execute("create schema rowqueue; create table rowqueue.schema_version (part text, version integer)");
		refusal(empty.asOwner(), SchemaMode.VALIDATE).is(Reason.SCHEMA_MISSING, "no tables of the queue",
				"PrintSchema");
		empty.execute("insert into rowqueue.schema_version values ('core', -1)");
		refusal(empty.asOwner(), SchemaMode.VALIDATE).is(Reason.SCHEMA_OLDER,
				"core at version -1 (this library has version " + SchemaPart.core().newestVersion() + ")",
				"PrintSchema");
	}

	@Test
	void aRoleThatMayNotCreateTheSchema() {
		String role = empty.createRole();
		String name = empty.query("select current_database()");
		refusal(empty.as(role), SchemaMode.MIGRATE).is(Reason.MISSING_PRIVILEGE,
				"The schema 'rowqueue' does not exist, and the role '" + role + "' may not create it",
				"grant create on database \"" + name + "\" to \"" + role + "\";",
				"PrintSchema --schema=rowqueue --grant-to=" + role);
	}

	@Test
	void aRoleThatMayNotCreateTables() {
		String role = empty.createRole();
		empty.execute("create schema \"Queue-2\"; grant usage on schema \"Queue-2\" to " + role);
		refusal(empty.as(role), new SchemaName("Queue-2"), SchemaMode.MIGRATE).is(Reason.MISSING_PRIVILEGE,
				"may not create tables in the schema 'Queue-2'",
				"grant create on schema \"Queue-2\" to \"" + role + "\";", "PrintSchema --schema=Queue-2");
	}

	@ParameterizedTest
	@EnumSource
	void aRoleThatMayNotUseWhatIsThere(SchemaMode mode) {
		String role = migrated.createRole();
		DataSource application = migrated.as(role);
		refusal(application, mode).is(Reason.MISSING_PRIVILEGE, "'" + role + "' may not use the schema 'rowqueue'",
				"grant usage on schema \"rowqueue\" to \"" + role + "\";");
		migrated.execute("grant usage on schema \"rowqueue\" to " + role);

		refusal(application, mode).is(Reason.MISSING_PRIVILEGE, "may not read the table schema_version",
				"grant select on \"rowqueue\".schema_version to \"" + role + "\";");
		migrated.execute("grant select on all tables in schema rowqueue to " + role);

		refusal(application, mode).is(Reason.MISSING_PRIVILEGE, "DELETE on job, INSERT on job, UPDATE on job,",
				"grant select, insert, update, delete on all tables in schema \"rowqueue\" to \"" + role + "\";");
		migrated.execute("grant select, insert, update, delete on all tables in schema rowqueue to " + role);

		refusal(application, mode).is(Reason.MISSING_PRIVILEGE,
				"USAGE on job_id_seq, EXECUTE on enqueue, EXECUTE on enqueue_all, EXECUTE on signal, EXECUTE on wake_up_channel.",
				"grant usage on all sequences in schema \"rowqueue\" to \"" + role + "\";",
				"grant execute on all functions in schema \"rowqueue\" to \"" + role + "\";");
		migrated.execute("grant usage on all sequences in schema rowqueue to " + role);
		migrated.execute("grant execute on all functions in schema rowqueue to " + role);

		new QueueSchema(application, SchemaName.DEFAULT, mode).initialize();
	}

	@ParameterizedTest
	@EnumSource
	void aRoleThatMayNotReadAView(SchemaMode mode) {
		String role = application();
		migrated.execute("revoke select on rowqueue.leased_jobs from " + role);
		refusal(migrated.as(role), mode).is(Reason.MISSING_PRIVILEGE, "SELECT on leased_jobs.",
				"grant select, insert, update, delete on all tables in schema \"rowqueue\" to \"" + role + "\";");
	}

	@ParameterizedTest
	@ValueSource(strings = { "job", "job_finished_default", "schema_version" })
	void aTableWhoseRowsAreHiddenByRowLevelSecurity(String table) {
		String role = application();
		QueueSchema schema = new QueueSchema(migrated.as(role), SchemaName.DEFAULT, SchemaMode.MIGRATE);
		change("alter table rowqueue." + table + " enable row level security",
				"alter table rowqueue." + table + " disable row level security");
		migrated.createTables();
		refusal(migrated.as(role), SchemaMode.MIGRATE).is(Reason.MISSING_PRIVILEGE,
				"Row-level security hides rows in the schema 'rowqueue' from the role '" + role + "', in the tables: "
						+ table + ".",
				"alter table \"rowqueue\"." + table + " disable row level security;",
				"create policy rowqueue on \"rowqueue\"." + table + " to \"" + role + "\" using (true);");

		change("create policy readers on rowqueue." + table + " for select using (true)",
				"drop policy readers on rowqueue." + table);
		refusal(migrated.as(role), SchemaMode.MIGRATE).is(Reason.MISSING_PRIVILEGE, table,
				"disable row level security");
		change("create policy rowqueue on rowqueue." + table + " to " + role + " using (true)",
				"drop policy rowqueue on rowqueue." + table);
		schema.initialize();
		change("create policy less on rowqueue." + table + " as restrictive for delete using (false)",
				"drop policy less on rowqueue." + table);
		refusal(migrated.as(role), SchemaMode.MIGRATE).is(Reason.MISSING_PRIVILEGE, table,
				"disable row level security");
		migrated.execute("alter table rowqueue." + table + " disable row level security");
		schema.initialize();
	}

	@Test
	void aTableOfTheApplicationInTheSameSchemaMayHaveRowLevelSecurity() {
		String role = application();
		change("create table rowqueue.mine (id int)", "drop table rowqueue.mine");
		migrated.execute("grant all on rowqueue.mine to " + role);
		migrated.execute("alter table rowqueue.mine enable row level security");
		new QueueSchema(migrated.as(role), SchemaName.DEFAULT, SchemaMode.VALIDATE).initialize();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			alter table rowqueue.job_tag              | job_tag
			alter table rowqueue.job_finished_default | job_finished_default
			alter view rowqueue.batches               | batches
			alter function rowqueue.deadline          | deadline""")
	void aSchemaThatLacksSomething(String alter, String name) {
		change(alter + " rename to lost", alter.replace(name, "lost") + " rename to " + name);
		refusal(migrated.asOwner(), SchemaMode.MIGRATE).is(Reason.SCHEMA_INCOMPLETE, "of them: " + name + ".",
				"Restore the schema completely");
	}

	@Test
	void aSchemaThatHasAViewInsteadOfATable() {
		change("alter table rowqueue.job_tag rename to stored", "alter table rowqueue.stored rename to job_tag");
		change("create view rowqueue.job_tag as select * from rowqueue.stored", "drop view rowqueue.job_tag");
		refusal(migrated.asOwner(), SchemaMode.MIGRATE).is(Reason.SCHEMA_INCOMPLETE, "of them: job_tag (a view).",
				"Restore the schema completely");
	}

	/** A privilege on a column is none on its table. */
	@Test
	void aRoleThatMayReadOnlySomeColumns() {
		String role = application();
		migrated.execute("revoke select on rowqueue.job from " + role);
		migrated.execute("grant select (id, state, queue, type) on rowqueue.job to " + role);
		refusal(migrated.as(role), SchemaMode.VALIDATE).is(Reason.MISSING_PRIVILEGE, "SELECT on job.", "grant select");
	}

	@Test
	void everyTableThatJobsNeedIsChecked() {
		String role = migrated.createRole();
		migrated.execute("grant usage on schema rowqueue to " + role);
		migrated.execute("grant select on rowqueue.schema_version to " + role);
		assertThat(catchThrowableOfType(QueueSchemaException.class,
				() -> new QueueSchema(migrated.as(role), SchemaName.DEFAULT, SchemaMode.VALIDATE).initialize())
			.getProblem()).contains(
					migrated.tables("rowqueue").replaceAll(" (rowqueue_schema_history|schema_version)", "").split(" "));
	}

	@ParameterizedTest
	@ValueSource(strings = { "create table rowqueue.message (id bigint)", "create view rowqueue.open as select 1 as id",
			"create sequence rowqueue.numbers",
			"create function rowqueue.next() returns int language sql as 'select 1'" })
	void aSchemaOfAnotherOwner(String statement) {
		empty.execute("create schema rowqueue; " + statement);
		String contents = empty.tables("rowqueue");
		refusal(empty.asOwner(), SchemaMode.MIGRATE).is(Reason.SCHEMA_FOREIGN, "none of the queue's",
				"Configure a separate schema for the queue");
		assertThat(empty.tables("rowqueue")).isEqualTo(contents);
	}

	@Test
	void aSchemaVersionOfAnotherOwner() {
		empty.execute("create schema rowqueue; create table rowqueue.schema_version (part text, version varchar)");
		refusal(empty.asOwner(), SchemaMode.MIGRATE).is(Reason.FAILED, "The schema 'rowqueue' cannot be read",
				"belongs to the queue alone");
	}

	private void change(String sql, String undo) {
		migrated.execute(sql);
		this.undo.push(undo);
	}

	/** Returns a role with the privileges of an application. */
	private static String application() {
		String role = migrated.createRole();
		migrated.execute("grant usage on schema rowqueue to " + role);
		migrated.execute("grant select, insert, update, delete on all tables in schema rowqueue to " + role);
		migrated.execute("grant usage on all sequences in schema rowqueue to " + role);
		migrated.execute("grant execute on all functions in schema rowqueue to " + role);
		return role;
	}

	private Refused refusal(DataSource dataSource, SchemaMode mode) {
		return refusal(dataSource, SchemaName.DEFAULT, mode);
	}

	/** What is refused is not current either. */
	private Refused refusal(DataSource dataSource, SchemaName name, SchemaMode mode) {
		assertThat(new QueueSchema(dataSource, name, mode).isCurrent(dataSource)).isFalse();
		return new Refused(catchThrowableOfType(QueueSchemaException.class,
				() -> new QueueSchema(dataSource, name, mode).initialize()));
	}

	/** A server that answers with this version, and refuses all else. */
	private static DataSource stub(String version, String host, Map<String, Object> metaData) {
		Map<String, Object> answers = new HashMap<>(metaData);
		answers.put("getDatabaseProductName", "PostgreSQL");
		answers.put("getURL", "jdbc:postgresql://" + host + "/postgres");
		ResultSet row = proxy(ResultSet.class, Map.of("next", true, "getString", version));
		Statement statement = proxy(Statement.class, Map.of("executeQuery", row));
		Connection connection = proxy(Connection.class, Map.of("getMetaData", proxy(DatabaseMetaData.class, answers),
				"createStatement", statement, "getAutoCommit", true));
		return proxy(DataSource.class, Map.of("getConnection", connection));
	}

	private static DataSource newer(DataSource server) {
		Map<String, Object> version = Map.of("getDatabaseMajorVersion", 99, "getDatabaseProductVersion", "99.1");
		return Proxies.of(DataSource.class, (dataSource, open, none) -> {
			Connection opened = (Connection) Proxies.call(server, open, none);
			return Proxies.of(Connection.class, (connection, method, arguments) -> {
				Object answer = Proxies.call(opened, method, arguments);
				return (answer instanceof DatabaseMetaData metaData)
						? Proxies
							.of(DatabaseMetaData.class,
									(proxy, asked, with) -> version.containsKey(asked.getName())
											? version.get(asked.getName()) : Proxies.call(metaData, asked, with))
						: answer;
			});
		});
	}

	private static DataSource stub(Map<String, Object> metaData) {
		DatabaseMetaData server = proxy(DatabaseMetaData.class, metaData);
		Connection connection = proxy(Connection.class, Map.of("getMetaData", server));
		return proxy(DataSource.class, Map.of("getConnection", connection));
	}

	private static <T> T proxy(Class<T> type, Map<String, Object> answers) {
		return Proxies.of(type, (proxy, method, args) -> {
			if (!answers.containsKey(method.getName()) && method.getReturnType() != void.class) {
				throw new SQLException("unexpected call of " + method.getName());
			}
			return answers.get(method.getName());
		});
	}

	private record Refused(QueueSchemaException exception) {

		void is(Reason reason, String problem, String... remedies) {
			assertThat(this.exception).isNotNull();
			assertThat(this.exception.getReason()).isEqualTo(reason);
			assertThat(this.exception.getProblem()).contains(problem);
			assertThat(this.exception.getRemedy()).contains(remedies);
			assertThat(this.exception).hasMessage(this.exception.getProblem() + " " + this.exception.getRemedy());
		}

	}

}
