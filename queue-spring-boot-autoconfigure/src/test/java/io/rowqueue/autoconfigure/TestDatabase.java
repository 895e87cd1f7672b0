package io.rowqueue.autoconfigure;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Objects;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import io.rowqueue.postgres.KeptSessions;
import io.rowqueue.postgres.QueueTables;
import io.rowqueue.migration.QueueSchema;
import io.rowqueue.schema.SchemaPart;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

/**
 * A database of a test's own, with the queue's tables unless it is empty. Registered as
 * an extension it is given back after the test, or after the class if it is static, and
 * the next one has it with its sessions, emptied: a new database and its first sessions
 * cost more than most tests do. One whose tables or functions were changed is not used
 * again, and neither is one that somebody still uses.
 */
public final class TestDatabase implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {

	private static final Deque<Database> GIVEN_BACK = new ArrayDeque<>();

	private static @Nullable String schemaOfCopies;

	static {
		Awaitility.setDefaultTimeout(Duration.ofMinutes(3)); // on the slowest machine
		// pools of applications and shards open no connection that nobody asks for
		System.setProperty("hikaricp.configurationFile", "/hikari.properties");
	}

	private final Database database;

	private boolean ofAClass;

	/** With the queue's tables, which most tests do not create once more. */
	public TestDatabase() {
		this(migrated());
	}

	private TestDatabase(Database database) {
		this.database = database;
	}

	/** Without any table. */
	public static TestDatabase withoutTables() {
		return new TestDatabase(DevPostgres.shared().createDatabase("autoconfigure"));
	}

	private static synchronized Database migrated() {
		if (!GIVEN_BACK.isEmpty()) {
			return GIVEN_BACK.removeFirst();
		}
		Database created = DevPostgres.shared()
			.createDatabase("autoconfigure", SchemaPart.class,
					(dataSource) -> new QueueSchema(dataSource).initialize());
		if (schemaOfCopies == null) {
			schemaOfCopies = new TestDatabase(created).schema();
		}
		return created;
	}

	@Override
	public void beforeAll(ExtensionContext context) {
		this.ofAClass = true;
	}

	@Override
	public void afterEach(ExtensionContext context) {
		if (!this.ofAClass) {
			giveBack();
		}
	}

	@Override
	public void afterAll(ExtensionContext context) {
		giveBack();
	}

	private void giveBack() {
		synchronized (TestDatabase.class) {
			if (isUnused()) {
				dropWhatIsNotOfTheQueue();
				if (Objects.equals(schema(), schemaOfCopies)) {
					empty();
					GIVEN_BACK.addFirst(this.database);
				}
			}
		}
	}

	/** Pools close their connections after the application has ended. */
	private boolean isUnused() {
		try {
			Awaitility.await()
				.atMost(Duration.ofSeconds(5))
				.pollInterval(Duration.ofMillis(20))
				.until(() -> sessions() == 0);
			return true;
		}
		catch (ConditionTimeoutException ex) {
			return false;
		}
	}

	private void dropWhatIsNotOfTheQueue() {
		execute("""
				do $$ begin
					if exists (select from pg_class where relnamespace = 'public'::regnamespace)
							or exists (select from pg_proc where pronamespace = 'public'::regnamespace) then
						drop schema public cascade;
						create schema public;
						grant usage on schema public to public;
					end if;
				end $$""");
	}

	/** What a test may have changed of the tables, functions and settings. */
	private String schema() {
		return JdbcClient.create(kept())
			.sql("""
					select md5(string_agg(o, ';' order by o)) from (
						select concat_ws(' ', oid, relname, relnatts, relowner, relacl, reloptions, relhastriggers)
						from pg_class where oid >= 16384
						union all select concat_ws(' ', oid, proname, md5(prosrc), proacl) from pg_proc where oid >= 16384
						union all select nspname from pg_namespace where nspname !~ '^pg_'
						union all select concat_ws(' ', oid, tgenabled) from pg_trigger
						union all select setconfig::text from pg_db_role_setting d join pg_database on setdatabase = pg_database.oid
							and datname = current_database()) as object (o)""")
			.query(String.class)
			.single();
	}

	/**
	 * Empties the tables that were ever written to, apart from what migrations wrote.
	 * @param kept tables of an application that goes on
	 */
	public void empty(String... kept) {
		QueueTables.empty(kept(), kept.length == 0, false, kept);
		if (kept.length == 0) {
			execute("""
					do $$ declare of_shards regclass; begin
						update rowqueue.maintenance_task set next_run_at = now(), taken_at = null, mark = null;
						for of_shards in select seqrelid from pg_sequence where seqincrement <> 1 loop
							execute format('alter sequence %s increment by 1 restart', of_shards);
						end loop;
					end $$""");
		}
	}

	/** The properties that lead an application to it. */
	public String[] properties() {
		return Stream.concat(Arrays.stream(this.database.properties("spring.datasource")),
				Stream.of("spring.datasource.driver-class-name=" + KeptSessions.class.getName(),
						"spring.datasource.hikari.maximum-pool-size=4",
						"spring.datasource.hikari.connection-timeout=10000"))
			.toArray(String[]::new);
	}

	public Database address() {
		return this.database;
	}

	public String url() {
		return this.database.url();
	}

	public String name() {
		return query("select current_database()", String.class);
	}

	/** The number that a query counts. */
	public long count(String sql) {
		return query(sql, Long.class);
	}

	/** The one value that a query yields. */
	public <T> T query(String sql, Class<T> type) {
		return JdbcClient.create(kept()).sql(sql).query(type).single();
	}

	/** Runs one statement. */
	public void execute(String sql) {
		JdbcClient.create(kept()).sql(sql).update();
	}

	/** How many sessions are used here. */
	public long sessions() {
		return count("select count(*) from pg_stat_activity where datname = current_database()"
				+ " and backend_type = 'client backend'") - KeptSessions.idle(this.database);
	}

	public PGSimpleDataSource dataSource() {
		return this.database.dataSource();
	}

	private DataSource kept() {
		return new SimpleDriverDataSource(new KeptSessions(), this.database.url(), this.database.username(),
				this.database.password());
	}

	/** Whether there is a table or partition of that name, such as rowqueue.job. */
	public boolean hasTable(String name) {
		return JdbcClient.create(kept())
			.sql("select to_regclass(?) is not null")
			.param(name)
			.query(Boolean.class)
			.single();
	}

}
