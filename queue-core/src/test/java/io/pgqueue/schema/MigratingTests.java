package io.pgqueue.schema;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** An application may create tables, and starts. */
class MigratingTests {

	static final String TABLES = "batch batch_callback batch_delta claim flow flow_step job job_dependency job_end job_failure job_finished job_follow_up job_key job_limit job_progress job_result job_slot job_step maintenance_task measurement pause queue_schema_history schedule schema_version taken_key time_window worker";

	private final TestDatabase database = new TestDatabase();

	@AfterEach
	void removeRoles() {
		this.database.close();
	}

	@Test
	void createsTheTablesInASchemaOfTheirOwn() {
		migrate("queue");
		assertThat(this.database.tables("queue")).isEqualTo(TABLES);
		assertThat(this.database.tables("public")).isNull();
		assertThat(this.database.query("select max(version) from queue.schema_version"))
			.isEqualTo(String.valueOf(QueueSchema.newestVersion()));
	}

	@Test
	void changesNothingAtTheSecondStart() {
		migrate("queue");
		String before = contents();
		migrate("queue");
		assertThat(contents()).isEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Queue-2", "a\"b'c", "ünï code", "user", "${x}" })
	void takesAnySchemaName(String name) {
		migrate(name);
		migrate(name);
		assertThat(this.database.tables(name)).isEqualTo(TABLES);
		new QueueSchema(this.database.asOwner(), new SchemaName(name), SchemaMode.VALIDATE).initialize();
	}

	@Test
	void holdsSeveralQueuesInOneDatabase() {
		migrate("one");
		migrate("two");
		assertThat(this.database.tables("one")).isEqualTo(this.database.tables("two"));
	}

	@Test
	void eightNodesStartAtOnce() throws Exception {
		int nodes = 8;
		ExecutorService executor = Executors.newFixedThreadPool(nodes);
		try {
			CyclicBarrier start = new CyclicBarrier(nodes);
			for (Future<?> node : IntStream.range(0, nodes).mapToObj((i) -> executor.submit(() -> {
				start.await();
				migrate("queue");
				return null;
			})).toList()) {
				node.get();
			}
		}
		finally {
			executor.shutdownNow();
		}
		assertThat(this.database.query("select count(*) from queue.schema_version"))
			.isEqualTo(String.valueOf(QueueSchema.newestVersion()));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void isContentWithAPoolOfOneConnection(boolean autoCommit) {
		HikariConfig config = new HikariConfig();
		config.setDataSource(this.database.asOwner());
		config.setMaximumPoolSize(1);
		config.setConnectionTimeout(1000);
		config.setAutoCommit(autoCommit);
		config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
		try (HikariDataSource pool = new HikariDataSource(config)) {
			String searchPath = this.database.query(pool, "show search_path");
			new QueueSchema(pool, SchemaName.DEFAULT, SchemaMode.MIGRATE).initialize();
			new QueueSchema(pool, SchemaName.DEFAULT, SchemaMode.VALIDATE).initialize();
			assertThat(this.database.query(pool, "show search_path")).isEqualTo(searchPath);
			assertThat(this.database.query(pool, "show transaction_isolation")).isEqualTo("serializable");
			assertThat(this.database.query(pool,
					"select count(*) from pg_locks where locktype = 'advisory'"
							+ " and database = (select oid from pg_database where datname = current_database())"))
				.isEqualTo("0");
		}
	}

	@Test
	void everyFunctionLooksIntoItsSchemaAndNoOther() {
		migrate("queue");
		assertThat(this.database.query("select string_agg(p.proname, ' ') from pg_proc p join pg_language l"
				+ " on l.oid = p.prolang where p.pronamespace = 'queue'::regnamespace and p.prokind = 'f'"
				+ " and (l.lanname = 'plpgsql' or p.provolatile <> 'i')"
				+ " and not 'search_path=pg_catalog, queue, pg_temp' = any (coalesce(p.proconfig, '{}'))"))
			.isNull();
	}

	@Test
	void usesASchemaThatTheOwnerPrepared() {
		String role = this.database.createRole();
		this.database.execute("create schema queue; grant usage, create on schema queue to " + role);
		new QueueSchema(this.database.as(role)).initialize();
		assertThat(this.database.tables("queue")).isEqualTo(TABLES);
	}

	@Test
	void sharesASchemaWithTheApplication() {
		this.database
			.execute("create table public.flyway_schema_history (version varchar); create table orders (id int)");
		migrate("public");
		assertThat(this.database.tables("public")).contains("orders", "job_finished", "flyway_schema_history");
		assertThat(this.database.query("select count(*) from public.flyway_schema_history")).isEqualTo("0");
	}

	@Test
	void changesNothingWhenItFails() {
		this.database.execute("create schema queue; create table queue.worker (id int)");
		assertThatExceptionOfType(QueueSchemaException.class).isThrownBy(() -> migrate("queue"))
			.withMessageContaining("\"worker\" already exists")
			.withMessageContaining("changed nothing");
		assertThat(this.database.tables("queue")).isEqualTo("worker");
	}

	private void migrate(String schema) {
		new QueueSchema(this.database.asOwner(), new SchemaName(schema), SchemaMode.MIGRATE).initialize();
	}

	private String contents() {
		return this.database
			.query("select string_agg(installed_at::text, ' ') || max(xmin::text) from queue.schema_version")
				+ this.database.query(
						"select count(*) || ' ' || max(oid) from pg_class where relnamespace = 'queue'::regnamespace");
	}

}
