package io.rowqueue.migration;

import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Level;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.postgres.Dose;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.schema.SchemaPart;
import io.rowqueue.testing.Log;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** An application may create tables, and starts. */
class MigratingTests {

	static final String TABLES = "batch batch_callback batch_delta cancel_request claim fair_key fair_lane fair_weight flow flow_job job job_dependency job_end job_expiry job_failure job_finished job_follow_up job_key job_limit job_log job_on_failure job_progress job_result job_signal job_slot job_step job_table job_tag job_wait maintenance_task measurement notification_channel pause rowqueue_schema_history schema_version taken_key type_retention worker";

	private final TestDatabase database = new TestDatabase();

	@AfterEach
	void removeRoles() {
		this.database.close();
	}

	@Test
	void theTablesAreCreatedInTheirOwnSchema() {
		migrate("rowqueue");
		assertThat(this.database.tables("rowqueue")).isEqualTo(TABLES);
		assertThat(this.database.tables("public")).isNull();
		assertThat(this.database.query("select count(*) from rowqueue.schema_version"))
			.isEqualTo(String.valueOf(SchemaPart.core().newestVersion()));
	}

	@Test
	void theSecondStartChangesNothing() {
		this.database.createTables();
		String before = contents();
		assertThat(new QueueSchema(this.database.asOwner()).isCurrent(this.database.asOwner())).isTrue();
		migrate("rowqueue");
		assertThat(contents()).isEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Queue-2 a\"b'c ünï ${x}", "user" })
	void anySchemaNameIsAccepted(String name) {
		QueueSchema schema = new QueueSchema(this.database.asOwner(), new SchemaName(name), SchemaMode.VALIDATE);
		assertThat(schema.isCurrent(this.database.asOwner())).isFalse();
		migrate(name);
		migrate(name);
		assertThat(this.database.tables(name)).isEqualTo(TABLES);
		assertThat(schema.isCurrent(this.database.asOwner())).isTrue();
		schema.initialize();
	}

	@Test
	void oneDatabaseCanContainSeveralQueues() {
		this.database.createTables();
		String tables = this.database.tables("rowqueue");
		migrate("two");
		assertThat(this.database.tables("two")).isEqualTo(TABLES);
		assertThat(this.database.tables("rowqueue")).isEqualTo(tables);
	}

	@Test
	void severalNodesStartAtOnce() throws Exception {
		int nodes = Dose.of(3, 8);
		ExecutorService executor = Executors.newFixedThreadPool(nodes);
		try {
			CyclicBarrier start = new CyclicBarrier(nodes);
			for (Future<?> node : IntStream.range(0, nodes).mapToObj((i) -> executor.submit(() -> {
				start.await();
				migrate("rowqueue");
				return null;
			})).toList()) {
				node.get();
			}
		}
		finally {
			executor.shutdownNow();
		}
		assertThat(this.database.query("select count(*) from rowqueue.schema_version"))
			.isEqualTo(String.valueOf(SchemaPart.core().newestVersion()));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aPoolOfOneConnectionSuffices(boolean autoCommit) {
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
		this.database.createTables();
		assertThat(this.database.query("select string_agg(p.oid::regprocedure::text, ' ') from pg_proc p"
				+ " where p.pronamespace = 'rowqueue'::regnamespace and p.prosqlbody is null"
				+ " and not 'search_path=pg_catalog, rowqueue, pg_temp' = any (coalesce(p.proconfig, '{}'))"))
			.isNull();
	}

	/** A call for each row would cost more than what it calculates. */
	@Test
	void thePlannerReplacesACallByWhatItCalculates() {
		this.database.createTables();
		assertThat(List.of("select rowqueue.deadline(run_at, tolerance) from rowqueue.job",
				"select rowqueue.initial_state(run_at, limit_key) from rowqueue.job",
				"select from rowqueue.pause p where rowqueue.is_closed(p)"))
			.allSatisfy((statement) -> assertThat(this.database.query("explain (verbose, format json) " + statement))
				.contains("Plan")
				.doesNotContain("deadline", "initial_state", "is_closed"));
	}

	/** Those of PostgreSQL itself are not listed among dependencies. */
	@Test
	void noViewFunctionOrDefaultUsesWhatOthersHaveMade() {
		String role = this.database.createRole();
		this.database.execute("grant create on schema public to " + role);
		this.database.execute(this.database.as(role), """
				create function public.stolen(double precision, numeric) returns double precision
					language plpgsql as 'begin raise exception ''stolen''; end';
				create operator public.+ (function = public.stolen, leftarg = double precision, rightarg = numeric);
				create operator public.* (function = public.stolen, leftarg = double precision, rightarg = numeric)""");
		try {
			migrate("rowqueue");
			assertThat(this.database.query("""
					select string_agg(distinct pg_describe_object(d.classid, d.objid, d.objsubid) || ' uses '
						|| pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid), ', ')
					from pg_depend d
					join (select 'pg_rewrite'::regclass as classid, r.oid, c.relnamespace as schema
							from pg_rewrite r join pg_class c on c.oid = r.ev_class
						union all select 'pg_proc'::regclass, p.oid, p.pronamespace from pg_proc p
						union all select 'pg_class'::regclass, c.oid, c.relnamespace from pg_class c
						union all select 'pg_attrdef'::regclass, a.oid, c.relnamespace
							from pg_attrdef a join pg_class c on c.oid = a.adrelid
						union all select 'pg_constraint'::regclass, o.oid, o.connamespace from pg_constraint o) ours
						on ours.classid = d.classid and ours.oid = d.objid and ours.schema = 'rowqueue'::regnamespace
					left join pg_operator o on d.refclassid = 'pg_operator'::regclass and o.oid = d.refobjid
					left join pg_proc p on d.refclassid = 'pg_proc'::regclass and p.oid = d.refobjid
					left join pg_class c on d.refclassid = 'pg_class'::regclass and c.oid = d.refobjid
					left join pg_type t on d.refclassid = 'pg_type'::regclass and t.oid = d.refobjid
					where coalesce(o.oprnamespace, p.pronamespace, c.relnamespace, t.typnamespace)
						not in ('rowqueue'::regnamespace, 'pg_catalog'::regnamespace, 'pg_toast'::regnamespace)"""))
				.isNull();
			this.database.execute("""
					insert into rowqueue.job_limit (kind, name, rate, rate_period, burst, tokens, tokens_at, source)
					values ('queue', 'mail', 10, interval '1 minute', 10, 3, now(), 'admin')""");
			assertThat(this.database.query("select tokens from rowqueue.limits")).isEqualTo("3");
		}
		finally {
			this.database.execute("drop owned by " + role + " cascade");
		}
	}

	@Test
	void aSchemaInWhichEveryRoleMayCreateIsLogged() {
		this.database.createTables();
		this.database.execute("grant create on schema rowqueue to public");
		assertThat(new QueueSchema(this.database.asOwner()).isCurrent(this.database.asOwner())).isFalse();
		try (Log log = new Log(QueueSchema.class)) {
			migrate("rowqueue");
			assertThat(log.lines(Level.WARN)).singleElement()
				.asString()
				.contains("revoke create on schema \"rowqueue\" from public;");
		}
		this.database.execute("revoke create on schema rowqueue from public");
		try (Log log = new Log(QueueSchema.class)) {
			migrate("rowqueue");
			assertThat(log.lines(Level.WARN)).isEmpty();
		}
	}

	@Test
	void aSchemaThatTheOwnerCreatedIsUsed() {
		String role = this.database.createRole();
		this.database.execute("create schema rowqueue; grant usage, create on schema rowqueue to " + role);
		new QueueSchema(this.database.as(role)).initialize();
		assertThat(this.database.tables("rowqueue")).isEqualTo(TABLES);
	}

	@Test
	void aSchemaCanBeSharedWithTheApplication() {
		this.database
			.execute("create table public.flyway_schema_history (version varchar); create table orders (id int)");
		migrate("public");
		assertThat(this.database.tables("public")).contains("orders", "job_finished", "flyway_schema_history");
		assertThat(this.database.query("select count(*) from public.flyway_schema_history")).isEqualTo("0");
	}

	@Test
	void aFailedMigrationChangesNothing() {
		this.database.execute("create schema shared; create table shared.worker (id int)");
		assertThatExceptionOfType(QueueSchemaException.class).isThrownBy(() -> migrate("shared"))
			.withMessageContaining("\"worker\" already exists")
			.withMessageContaining("changed nothing")
			.withMessageContaining("give the queue a separate schema; otherwise remove the cause");
		assertThat(this.database.tables("shared")).isEqualTo("worker");
	}

	private void migrate(String schema) {
		new QueueSchema(this.database.asOwner(), new SchemaName(schema), SchemaMode.MIGRATE).initialize();
	}

	private String contents() {
		return this.database
			.query("select string_agg(installed_at::text, ' ') || max(xmin::text) from rowqueue.schema_version")
				+ this.database.query(
						"select count(*) || ' ' || max(oid) from pg_class where relnamespace = 'rowqueue'::regnamespace");
	}

}
