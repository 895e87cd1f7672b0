package io.rowqueue.engine.measure;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Future;

import ch.qos.logback.classic.Level;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** Indexes on a real server: they are found, rebuilt and removed. */
class IndexTaskTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private static final int JOBS = 20_000;

	private final IndexStore store = store(database.queueDatabase());

	private final IndexTask task = new IndexTask(this.store);

	@Test
	void anIndexThatStaysLargeIsRebuiltOnceNothingPinsTheHorizon() throws SQLException {
		database.execute("alter table {schema}.job set (autovacuum_enabled = false)");
		database.execute("insert into {schema}.job (run_at, order_at, state, queue, type)"
				+ " select now(), now(), 'queued', 'default', 'type' from generate_series(1, " + JOBS + ")");
		database.execute("analyze {schema}.job");
		assertThat(this.store.find()).as("as large as its entries need").isEmpty();
		assertThat(this.store.isQuiet()).isFalse();
		database.execute("delete from {schema}.job");
		database.execute("select pg_stat_force_next_flush()");
		database.execute("vacuum analyze {schema}.job");
		assertThat(this.store.find()).contains(large("job_queued"));
		assertThat(this.store.isQuiet()).isTrue();

		try (OpenTransaction report = database.begin(); Log log = new Log(IndexTask.class)) {
			report.execute("set transaction isolation level repeatable read");
			report.execute("select from {schema}.job");
			this.task.run();
			assertThat(this.task.isUnfinished()).isFalse();
			assertThat(log.lines(Level.INFO)).anyMatch((line) -> line.contains("is tried again later"));
			assertThat(this.store.find()).filteredOn((index) -> index.state().equals(IndexTrouble.LEFT_OVER))
				.singleElement()
				.satisfies((left) -> assertThat(left.name()).endsWith("_ccnew"));
		}
		long before = bytes();
		do {
			this.task.run();
		}
		while (this.task.isUnfinished());
		assertThat(this.store.find()).isEmpty();
		assertThat(bytes()).isLessThan(before / 10);
	}

	@Test
	void anInvalidIndexIsMeasuredAndRebuilt() {
		invalidate("{schema}.job_blocked");
		MeasurementStore measurements = new MeasurementStore(database.queueDatabase());
		measurements.measure(Duration.ZERO);
		assertThat(measurements.read().orElseThrow().figures())
			.filteredOn((figure) -> figure.name().equals(Figure.INDEX))
			.extracting(Figure::state, Figure::text)
			.containsExactly(tuple(IndexTrouble.INVALID, "job_blocked"));
		this.task.run();
		assertThat(this.store.find()).isEmpty();
	}

	@Test
	void anIndexOfAnotherTableInTheSchemaIsLeftAlone() {
		database.execute("create table {schema}.of_others (id int)");
		database.execute("create index of_others_ccnew on {schema}.of_others (id)");
		invalidate("{schema}.of_others_ccnew");
		assertThat(this.store.find()).isEmpty();
		database.execute("drop table {schema}.of_others");
	}

	@Test
	void aRoleThatDoesNotOwnTheTablesSaysSoAndTriesNoMore() throws SQLException {
		database.execute("create index job_queue_ccnew on {schema}.job (queue)");
		invalidate("{schema}.job_queue_ccnew");
		database.execute("grant usage on schema {schema} to pg_monitor");
		try (Connection connection = database.direct().getConnection(); Log log = new Log(IndexTask.class)) {
			IndexTask ofApplication = new IndexTask(store(new QueueDatabase(
					new JdbcTemplate(new SingleConnectionDataSource(connection, true)), SchemaName.DEFAULT)));
			new JdbcTemplate(new SingleConnectionDataSource(connection, true)).execute("set role pg_monitor");
			ofApplication.run();
			assertThat(log.lines(Level.WARN)).singleElement()
				.asString()
				.contains("job_queue_ccnew", "does not own the table",
						"drop index concurrently if exists \"rowqueue\".job_queue_ccnew");
			assertThat(ofApplication.isReady()).isFalse();
		}
		this.task.run();
		assertThat(this.store.find()).isEmpty();
	}

	@Test
	void aSessionThatBuildsAnIndexOfTheQueueIsNotBlamedForItsSnapshot() throws SQLException {
		database.execute("create function public.awaited(bigint) returns bigint immutable language plpgsql as"
				+ " 'begin perform pg_advisory_xact_lock(4711); return $1; end'");
		database.execute("insert into {schema}.job (run_at, order_at, state, queue, type)"
				+ " values (now(), now(), 'queued', 'default', 'type')");
		Future<Boolean> build;
		try (OpenTransaction holder = database.begin()) {
			holder.execute("select pg_advisory_xact_lock(4711)");
			build = database.async(() -> {
				database.execute("create index concurrently job_awaited on {schema}.job (public.awaited(id))");
				return true;
			});
			database.awaitBlockedStatement();
			int builder = database.query("select pid from pg_stat_activity where datname = current_database()"
					+ " and wait_event_type = 'Lock' and backend_xmin is not null", Integer.class);
			assertThat(new HorizonStore(database.queueDatabase()).pins()).extracting(HorizonPin::who)
				.noneMatch((who) -> who.startsWith("process " + builder));
			assertThat(this.store.find()).as("it is not left over").isEmpty();
		}
		assertThat(StoreDatabase.result(build)).isTrue();
		database.execute("drop index {schema}.job_awaited");
		database.execute("drop function public.awaited");
	}

	private static IndexStore store(QueueDatabase queue) {
		return new IndexStore(queue, 100_000, Duration.ofMillis(100));
	}

	private static IndexTrouble large(String name) {
		return new IndexTrouble(name, IndexTrouble.LARGE,
				database.query("select pg_relation_size('{schema}." + name + "')", Long.class));
	}

	private static long bytes() {
		return database.query("select pg_indexes_size('{schema}.job')", Long.class);
	}

	private static void invalidate(String index) {
		database.update("update pg_index set indisvalid = false where indexrelid = '" + index + "'::regclass");
	}

}
