package io.rowqueue.engine.history;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.concurrent.CompletableFuture;

import ch.qos.logback.classic.Level;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class RetainTaskTests {

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	@AutoClose
	private final Log log = new Log(RetainTask.class);

	private final HistoryStore store = new HistoryStore(this.engine.queueDatabase());

	private final LocalDate today = dayThatLasts();

	private final RetainTask task = task(times(2, 2, 5), Map.of());

	/** At midnight, what is kept for a day or is new today is not what it was before. */
	private LocalDate dayThatLasts() {
		await("it is not about to end").atMost(Duration.ofMinutes(2))
			.until(() -> this.engine.number("select count(*) where (now() at time zone 'UTC')::date"
					+ " = ((now() + interval '1 minute') at time zone 'UTC')::date") == 1);
		return this.store.today();
	}

	@Test
	void theTaskCreatesPartitionsForTheNextDaysAndDropsOldOnes() {
		dropAllDays();
		List.of(-9, -3, -2, 1).forEach((day) -> this.store.createPartition(day(day)));
		this.task.run();
		assertThat(days()).containsExactlyInAnyOrder(-2, 0, 1, 2, 3);
		this.task.run();
		assertThat(days()).containsExactlyInAnyOrder(-2, 0, 1, 2, 3);
		assertThat(this.log.lines(Level.WARN)).isEmpty();
	}

	@Test
	void thereAreNoPartitionsIfFinishedJobsAreNotKept() {
		task(times(0, 0, 5), Map.of()).run();
		dropAllDays();
		task(times(0, 0, 5), Map.of()).run();
		assertThat(days()).isEmpty();
	}

	@Test
	void todayGetsItsTableAlthoughItHasBegunWithoutIt() {
		dropAllDays();
		finish("now()");
		this.task.run();
		assertThat(days()).containsExactlyInAnyOrder(0, 1, 2, 3);
		assertThat(this.engine.count("job_finished_default")).isZero();
		assertThat(this.engine.finished()).isEqualTo(1);
		assertThat(this.log.lines(Level.WARN)).isEmpty();
	}

	@Test
	void theTaskDeletesWhatIsTooOldRowByRow() {
		dropAllDays();
		finish("now() - interval '3 days'");
		finish("now() - interval '1 day'");
		fail("now() - interval '6 days'");
		fail("now() - interval '4 days'");
		this.task.run();
		assertThat(this.engine.finished()).isEqualTo(1);
		assertThat(this.engine.jobs()).isEqualTo(1);
		assertThat(this.engine.count("job_failure")).isEqualTo(1);
	}

	/** A long attempt, or one whose worker died before the whole cluster was stopped. */
	@Test
	void aFailedJobIsKeptFromItsFailureOnHoweverLongAgoItWasClaimed() {
		fail("now() - interval '6 days'", "now() - interval '4 days'", "default");
		fail("now() - interval '9 days'", "now() - interval '6 days'", "default");
		this.task.run();
		assertThat(this.engine.jobs()).isEqualTo(1);
		assertThat(this.engine.count("job j join rowqueue.job_failure f on f.job_id = j.id")).isEqualTo(1);
	}

	/** What a time is subtracted from would be before the first one of PostgreSQL. */
	@Test
	void aTimeMayBeLongerThanAllTimesThatTheServerKnows() {
		Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
		new TypeRetentionStore(this.engine.queueDatabase()).declare(Map.of("audit", forEver), List.of());
		finish("now() - interval '30 days'", "succeeded", "default", "audit");
		fail("now() - interval '30 days'");
		RetainTask task = task(times(2, 2, 5), Map.of("default", new Retention.Ages(forEver, forEver, forEver)));
		runUntilDone(task);
		assertThat(this.engine.finished()).isEqualTo(1);
		assertThat(this.engine.jobs()).isEqualTo(1);
	}

	@Test
	void theTaskDeletesMoreThanOneBatch() {
		this.engine.jdbc()
			.update("insert into rowqueue.job_failure (job_id, failed_at, attempt, error)"
					+ " select i, now() - interval '1 year', 1, 'old' from generate_series(1, 12000) i");
		runUntilDone(this.task);
		assertThat(this.engine.count("job_failure")).isZero();
	}

	@Test
	void whatCannotBeDeletedKeepsNothingElse() {
		finish("now() - interval '3 days'");
		fail("now() - interval '6 days'");
		this.engine.jdbc()
			.update("insert into rowqueue.batch (name, finished_at) values ('old', now() - interval '1 year')");
		this.engine.jdbc().execute("""
				create function rowqueue.refuse() returns trigger language plpgsql as
					'begin raise exception ''% stays'', tg_table_name; end'""");
		for (String table : List.of("job_finished", "job_failure")) {
			this.engine.jdbc()
				.execute("create trigger refuse before delete on rowqueue." + table
						+ " for each row execute function rowqueue.refuse()");
		}
		assertThatThrownBy(this.task::run).hasMessageContaining("job_finished_default stays")
			.satisfies((thrown) -> assertThat(thrown.getSuppressed()).singleElement()
				.asString()
				.contains("job_failure stays"));
		assertThat(this.engine.jobs()).isZero();
		assertThat(this.engine.count("batch")).isZero();
	}

	@Test
	void eachOutcomeAndQueueHasATimeOfItsOwn() {
		List.of(-9, -8, -6, -5, -4, -3, -2, -1).forEach((day) -> this.store.createPartition(day(day)));
		for (String queue : List.of("default", "mail", "import", "it's {schema} %s ?")) {
			for (int age = 0; age <= 8; age++) {
				finish("now() - interval '1 second' - interval '1 day' * " + age, "succeeded", queue);
				finish("now() - interval '1 second' - interval '1 day' * " + age, "cancelled", queue);
				fail("now() - interval '1 second' - interval '1 day' * " + age, queue);
			}
		}
		RetainTask task = task(times(3, 1, 5),
				Map.of("mail", times(6, 1, 2), "import", times(0, 0, 0), "it's {schema} %s ?", times(2, 2, 9)));
		runUntilDone(task);
		assertThat(kept("default")).isEqualTo("3 succeeded, 1 cancelled, 5 failed");
		assertThat(kept("mail")).isEqualTo("6 succeeded, 1 cancelled, 2 failed");
		assertThat(kept("import")).isEqualTo("0 succeeded, 0 cancelled, 0 failed");
		assertThat(kept("it's {schema} %s ?")).isEqualTo("2 succeeded, 2 cancelled, 9 failed");
		assertThat(days()).contains(-6).doesNotContain(-9, -8);
	}

	@Test
	void aTypeMayHaveATimeOfItsOwnWhateverItsQueue() {
		TypeRetentionStore types = new TypeRetentionStore(this.engine.queueDatabase());
		types.declare(Map.of("heartbeat", Duration.ofDays(1), "audit", Duration.ofDays(9)), List.of("heartbeat"));
		List.of(-10, -9, -8, -7, -6, -5, -4, -3, -2, -1).forEach((day) -> this.store.createPartition(day(day)));
		for (String type : List.of("heartbeat", "audit", "mail")) {
			for (int age = 0; age <= 9; age++) {
				String at = "now() - interval '1 second' - interval '1 day' * " + age;
				finish(at, "succeeded", "default", type);
				finish(at, "cancelled", "import", type);
			}
		}
		RetainTask task = task(times(3, 5, 5), Map.of("import", times(2, 2, 2)));
		runUntilDone(task);
		assertThat(keptOf("heartbeat")).isEqualTo("1 succeeded, 1 cancelled");
		assertThat(keptOf("audit")).isEqualTo("9 succeeded, 9 cancelled");
		assertThat(keptOf("mail")).isEqualTo("3 succeeded, 2 cancelled");
	}

	@Test
	void anApplicationThatRunsATypeAndDeclaresNoTimeRemovesIt() {
		TypeRetentionStore types = new TypeRetentionStore(this.engine.queueDatabase());
		types.declare(Map.of("mail", Duration.ofDays(1), "audit", Duration.ofDays(9)), List.of());
		types.declare(Map.of("audit", Duration.ofDays(8)), List.of("mail", "audit"));
		assertThat(types.list()).containsExactly(Map.entry("audit", Duration.ofDays(8)));
	}

	@Test
	void aTimeThatIsDeclaredLaterHoldsForOldJobsToo() {
		this.store.createPartition(day(-1));
		finish("now() - interval '1 day'", "succeeded", "default", "mail");
		finish("now() - interval '1 day'", "succeeded", "short", "test");
		RetainTask task = task(times(7, 7, 7), Map.of("short", times(0, 0, 0)));
		runUntilDone(task);
		assertThat(this.engine.finished()).isEqualTo(1);
		new TypeRetentionStore(this.engine.queueDatabase()).declare(Map.of("mail", Duration.ZERO), List.of());
		runUntilDone(task);
		assertThat(this.engine.finished()).isZero();
	}

	@Test
	void bigHistoriesGoInManySmallStatements() {
		this.store.createPartition(day(-1));
		this.engine.jdbc()
			.update("insert into rowqueue.job_finished (id, run_at, created_at, finished_at, state, priority, attempt, queue,"
					+ " type) select i, now(), now(), " + "date_trunc('day', now(), 'UTC') - interval '3 ms' * i,"
					+ " 'succeeded', 0, 1, case when i % 2 = 0 then 'short' else 'long' end, 'test'"
					+ " from generate_series(1, 200000) i");
		RetainTask task = task(times(7, 7, 7), Map.of("short", times(0, 0, 0)));
		task.run();
		assertThat(task.isUnfinished()).isTrue();
		await().until(task::isReady);
		runUntilDone(task);
		assertThat(this.engine.count("job_finished where queue = 'short'")).isZero();
		assertThat(this.engine.finished()).isEqualTo(100_000);
	}

	@Test
	void whatBecomesOldLaterIsFoundLater() {
		RetainTask task = task(times(7, 7, 7), Map.of("short", times(1, 1, 1)));
		this.store.createPartition(day(-1));
		this.store.createPartition(day(-2));
		finish("now() - interval '1 day' + interval '1 second'", "succeeded", "short");
		runUntilDone(task);
		await().until(() -> {
			runUntilDone(task);
			return this.engine.finished() == 0;
		});
	}

	/** A report, or a dump, that reads the history for hours. */
	@Test
	void aReaderOfTheHistoryDelaysOnlyItsPartitions() throws SQLException {
		this.store.dropPartition(day(3));
		this.store.createPartition(day(-9));
		finish("now() - interval '4 days'", "succeeded", "short");
		TestProcess process = this.engine.process().handle("test", (payload, context) -> {
		}).start();
		try (Connection reader = begin("select count(*) from rowqueue.job_finished")) {
			runUntilDone(this.task);
			assertThat(days()).contains(-9).doesNotContain(3);
			assertThat(this.engine.finished()).isZero();
			this.engine.awaitState(process.queue().enqueue("test", null).id(), JobState.SUCCEEDED);
			reader.rollback();
		}
		await().untilAsserted(() -> { // or another session reads it at this moment
			this.task.run();
			assertThat(days()).contains(3).doesNotContain(-9);
		});
		assertThat(this.log.lines(Level.WARN)).isEmpty();
	}

	/** Another session has locked a whole table of the history. */
	@Test
	void enqueueingNeverWaitsForTheHistory() throws SQLException {
		this.store.createPartition(day(-9));
		try (Connection owner = begin("lock table rowqueue.job_finished in access exclusive mode")) {
			CompletableFuture<Void> retaining = Async.run(() -> {
				this.engine.jdbc().setQueryTimeout((int) Engine.PATIENCE.toSeconds());
				this.task.run();
			});
			await("it waits for the history").until(() -> this.engine
				.number("select count(*) from pg_locks"
						+ " where not granted and relation::regclass::text like 'rowqueue.job\\_finished%'") > 0
					|| retaining.isDone());
			for (int i = 0; i < 100; i++) {
				this.engine.enqueue("test");
			}
			assertThat(retaining).isNotDone();
			owner.rollback();
			await().until(retaining::isDone);
			if (retaining.isCompletedExceptionally()) { // maintenance tries again
				assertThatThrownBy(retaining::join).hasCauseInstanceOf(DataAccessException.class);
			}
		}
		this.engine.jdbc().setQueryTimeout(-1);
		assertThat(this.engine.jobs()).isEqualTo(100);
	}

	/**
	 * The session's time zone, which the driver takes from the JVM, says nothing about
	 * the day.
	 */
	@Test
	void aDayBeginsAtMidnightOfUtc() throws SQLException {
		TimeZone before = TimeZone.getDefault();
		TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Kiritimati"));
		try {
			this.engine.reconnect();
			assertThat(this.engine.jdbc().queryForObject("show timezone", String.class))
				.isEqualTo("Pacific/Kiritimati");
			dropAllDays();
			this.task.run();
			String midnight = "date_trunc('day', now(), 'UTC') + interval '1 day'";
			finish(midnight + " - interval '1 microsecond'", "succeeded", "before");
			finish(midnight, "succeeded", "after");
			assertThat(this.engine.jdbc()
				.query("select queue || ' ' || tableoid::regclass::text from rowqueue.job_finished order by queue",
						(row, index) -> row.getString(1)))
				.containsExactly("after rowqueue." + table(1), "before rowqueue." + table(0));
			assertThat(days()).containsExactlyInAnyOrder(0, 1, 2, 3);
		}
		finally {
			TimeZone.setDefault(before);
		}
	}

	@Test
	void jobsEndWhileDaysComeAndGo() {
		TestProcess process = this.engine.process().handle("test", (payload, context) -> {
		}).start();
		for (int i = 0; i < 20; i++) {
			process.queue().enqueueAll(Collections.nCopies(100, JobRequest.of("test")));
			unlessLocked(this::dropAllDaysOfAnotherOwner);
			unlessLocked(() -> this.store.createPartition(day(-9)));
			this.task.run();
		}
		this.engine.awaitAllOver();
		assertThat(this.engine.finished()).isEqualTo(2000);
	}

	@Test
	void aRoleThatMayNotCreateTablesIsLoggedOnce() {
		dropAllDays();
		this.store.createPartition(day(-9));
		finish("now() - interval '3 days'");
		fail("now() - interval '6 days'");
		String role = "retain_" + Long.toString(System.nanoTime(), Character.MAX_RADIX);
		this.engine.jdbc().execute("create role " + role + " login password 'secret'");
		try {
			this.engine.jdbc().execute("grant usage on schema rowqueue to " + role);
			this.engine.jdbc()
				.execute("grant select, insert, update, delete on all tables in schema rowqueue to " + role);
			PGSimpleDataSource weak = this.engine.dataSource();
			weak.setUser(role);
			weak.setPassword("secret");
			RetainTask task = new RetainTask(new QueueDatabase(new JdbcTemplate(weak), SchemaName.DEFAULT),
					new Retention(times(2, 2, 5), Map.of(), Map.of()), () -> {
					});
			runUntilDone(task);
			runUntilDone(task);
		}
		finally {
			this.engine.jdbc().execute("drop owned by " + role);
			this.engine.jdbc().execute("drop role " + role);
		}
		assertThat(this.log.lines(Level.WARN)).singleElement()
			.asString()
			.startsWith("Cannot store finished jobs in a table for each day: ")
			.contains("job_finished_");
		assertThat(days()).containsExactly(-9);
		assertThat(this.engine.finished()).isZero();
		assertThat(this.engine.jobs()).isZero();
	}

	private RetainTask task(Retention.Ages times, Map<String, Retention.Ages> queues) {
		return new RetainTask(this.engine.queueDatabase(), new Retention(times, queues, Map.of()), () -> {
		});
	}

	private static Retention.Ages times(int succeeded, int cancelled, int failed) {
		return new Retention.Ages(Duration.ofDays(succeeded), Duration.ofDays(cancelled), Duration.ofDays(failed));
	}

	private static void runUntilDone(RetainTask task) {
		do {
			task.run();
		}
		while (task.isUnfinished());
	}

	private String kept(String queue) {
		String finished = "select count(*) from rowqueue.job_finished where queue = ? and state = ?::rowqueue.job_state";
		return "%d succeeded, %d cancelled, %d failed".formatted(this.engine.number(finished, queue, "succeeded"),
				this.engine.number(finished, queue, "cancelled"), this.engine.count("job where queue = ?", queue));
	}

	private String keptOf(String type) {
		String finished = "select count(*) from rowqueue.job_finished where type = ? and state = ?::rowqueue.job_state";
		return "%d succeeded, %d cancelled".formatted(this.engine.number(finished, type, "succeeded"),
				this.engine.number(finished, type, "cancelled"));
	}

	private Connection begin(String sql) throws SQLException {
		Connection connection = this.engine.dataSource().getConnection();
		connection.setAutoCommit(false);
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
		return connection;
	}

	/** Also tomorrow stays, which may have begun. */
	private void dropAllDaysOfAnotherOwner() {
		for (HistoryPartition partition : this.store.partitions()) {
			if (!partition.day().equals(this.today) && !partition.day().equals(this.today.plusDays(1))) {
				this.store.dropPartition(partition);
			}
		}
	}

	/** The history is not waited for for long: it is tried again. */
	private static void unlessLocked(Runnable change) {
		await().ignoreException(TransientDataAccessException.class).until(() -> {
			change.run();
			return true;
		});
	}

	private String table(int fromToday) {
		return "job_finished_" + day(fromToday).day().toString().replace("-", "");
	}

	private HistoryPartition day(int fromToday) {
		return new HistoryPartition(this.today.plusDays(fromToday));
	}

	private List<Integer> days() {
		List<Integer> days = new ArrayList<>();
		this.store.partitions()
			.forEach((partition) -> days.add((int) (partition.day().toEpochDay() - this.today.toEpochDay())));
		return days;
	}

	private void dropAllDays() {
		this.store.partitions().forEach(this.store::dropPartition);
	}

	private void finish(String at) {
		finish(at, "succeeded", "default");
	}

	private void finish(String at, String state, String queue) {
		finish(at, state, queue, "test");
	}

	private void finish(String at, String state, String queue, String type) {
		this.engine.jdbc()
			.update("insert into rowqueue.job_finished (id, run_at, created_at, finished_at, state, priority, attempt,"
					+ " queue, type) values (1, now(), now(), " + at + ", ?::rowqueue.job_state, 0, 1, ?, ?)", state,
					queue, type);
	}

	private void fail(String at) {
		fail(at, "default");
	}

	private void fail(String at, String queue) {
		fail(at, at, queue);
	}

	private void fail(String leasedAt, String failedAt, String queue) {
		this.engine.jdbc()
			.update("with job as (insert into rowqueue.job (run_at, order_at, leased_at, state, queue, type) values (now(), now(), "
					+ leasedAt + ", 'failed', ?, 'test') returning id)"
					+ " insert into rowqueue.job_failure (job_id, failed_at, attempt, error) select id, " + failedAt
					+ ", 1, 'x' from job", queue);
	}

}
