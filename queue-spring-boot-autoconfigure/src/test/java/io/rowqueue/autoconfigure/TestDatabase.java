package io.rowqueue.autoconfigure;

import java.time.Duration;

import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import io.rowqueue.schema.QueueSchema;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A database of a test's own, with the queue's tables unless it is empty. */
public final class TestDatabase {

	private static @Nullable Database template;

	static {
		Awaitility.setDefaultTimeout(Duration.ofMinutes(3)); // on the slowest machine
	}

	private final Database database;

	/** With the queue's tables, which most tests do not create once more. */
	public TestDatabase() {
		this(DevPostgres.shared().createDatabase("autoconfigure", template()));
	}

	private TestDatabase(Database database) {
		this.database = database;
	}

	/** Without any table. */
	public static TestDatabase empty() {
		return new TestDatabase(DevPostgres.shared().createDatabase("autoconfigure"));
	}

	private static synchronized Database template() {
		if (template == null) {
			TestDatabase created = empty();
			new QueueSchema(created.dataSource()).initialize();
			template = created.database;
		}
		return template;
	}

	/** The properties that lead an application to it. */
	public String[] properties() {
		return new String[] { "spring.datasource.url=" + this.database.url(),
				"spring.datasource.username=" + this.database.username(),
				"spring.datasource.password=" + this.database.password(),
				"spring.datasource.hikari.maximum-pool-size=4", "spring.datasource.hikari.connection-timeout=10000" };
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
		return JdbcClient.create(dataSource()).sql(sql).query(type).single();
	}

	/** Runs one statement. */
	public void execute(String sql) {
		JdbcClient.create(dataSource()).sql(sql).update();
	}

	/** How many sessions others have here. */
	public long sessions() {
		return count("select count(*) from pg_stat_activity where datname = current_database()"
				+ " and backend_type = 'client backend' and pid <> pg_backend_pid()");
	}

	public PGSimpleDataSource dataSource() {
		PGSimpleDataSource dataSource = new PGSimpleDataSource();
		dataSource.setUrl(this.database.url());
		dataSource.setUser(this.database.username());
		dataSource.setPassword(this.database.password());
		return dataSource;
	}

	/** Whether there is a table or partition of that name, such as rowqueue.job. */
	public boolean hasTable(String name) {
		return JdbcClient.create(dataSource())
			.sql("select to_regclass(?) is not null")
			.param(name)
			.query(Boolean.class)
			.single();
	}

}
