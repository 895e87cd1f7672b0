package io.rowqueue.engine.worker;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.JobState;
import io.rowqueue.engine.database.StatementTimeouts;
import io.rowqueue.engine.database.WorkerDataSource;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.Wire;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Whatever keeps a worker from its database: it waits, writes one line when that begins
 * and one when it ends, and goes on. A job that ended meanwhile is written down, and not
 * run again.
 */
class TroubleTests {

	/** For what comes to nothing at once, and is not to be taken for anything else. */
	private static final StatementTimeouts LONG = StatementTimeouts.DEFAULT;

	private static final StatementTimeouts SHORT_FOR_LOCKS = new StatementTimeouts(LONG.statement(),
			Duration.ofMillis(300), LONG.socket());

	private static final StatementTimeouts SHORT_FOR_ANSWERS = new StatementTimeouts(Duration.ofMillis(1500),
			Duration.ofSeconds(1), Duration.ofSeconds(2));

	private static final String AWAY = "The database is not available";

	private static final String BACK = "The database is available again after ";

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	private final String role = "clerk_" + this.engine.dataSource().getDatabaseName();

	private final Map<Long, AtomicInteger> runs = new ConcurrentHashMap<>();

	private final CountDownLatch release = new CountDownLatch(1);

	@BeforeEach
	void createRole() {
		this.engine.jdbc().execute("create role " + this.role + " login password 'secret'");
		this.engine.jdbc().execute("grant usage on schema rowqueue to " + this.role);
		this.engine.jdbc().execute("grant all on all tables in schema rowqueue to " + this.role);
		this.engine.jdbc().execute("grant all on all sequences in schema rowqueue to " + this.role);
		this.engine.jdbc().execute("grant execute on all functions in schema rowqueue to " + this.role);
	}

	@AfterEach
	void dropRole() throws Exception {
		this.release.countDown();
		this.engine.stopProcesses(); // each thread of theirs would wait for a connection
		alterRole("nologin");
		terminateSessions();
		this.engine.jdbc().execute("drop owned by " + this.role);
		this.engine.jdbc().execute("drop role " + this.role);
	}

	/** A demoted primary, to which the pool still has connections. */
	@Test
	void theDatabaseIsReadOnly() throws Exception {
		survivesWithNewSessions("The database is read-only", "set default_transaction_read_only = on",
				"set default_transaction_read_only = off");
	}

	@Test
	void thereAreTooManyConnections() throws Exception {
		survivesWithNewSessions("The database has no free connection for the queue", "connection limit 0",
				"connection limit -1");
	}

	@Test
	void theDiskIsFull() throws InterruptedException {
		onEveryWrite("return null;");
		for (String table : List.of("job", "worker", "job_finished", "maintenance_task")) {
			this.engine.jdbc()
				.execute("create trigger full_disk before insert or update or delete on rowqueue." + table
						+ " for each statement execute function full_disk()");
		}
		survives(this.engine.process().through(asRole(this.engine.dataSource())), LONG,
				"The database has run out of disk space or memory", BACK,
				() -> onEveryWrite("raise disk_full using message = 'could not extend file: No space left on device';"),
				() -> onEveryWrite("return null;"));
	}

	/** Locks no table, as a trigger that comes and goes would. */
	private void onEveryWrite(String action) {
		this.engine.jdbc()
			.execute("create or replace function full_disk() returns trigger language plpgsql as $$ begin " + action
					+ " end $$");
	}

	/** Such as a migration of another application, a dump, or a forgotten psql. */
	@Test
	void anotherSessionHasLockedTheJobs() throws Exception {
		try (Connection other = this.engine.dataSource().getConnection();
				Statement statement = other.createStatement()) {
			other.setAutoCommit(false);
			survives(this.engine.process().through(asRole(this.engine.dataSource())), SHORT_FOR_LOCKS,
					"The queue waits for a lock that another session holds", "The queue has acquired the lock after ",
					() -> {
						try {
							statement.execute("lock table rowqueue.job in access exclusive mode");
						}
						catch (SQLException ex) {
							throw new IllegalStateException(ex);
						}
					}, () -> {
						try {
							other.rollback();
						}
						catch (SQLException ex) {
							throw new IllegalStateException(ex);
						}
					});
		}
	}

	/**
	 * Its lease must not end because another session locks the jobs for longer than it
	 * lasts.
	 */
	@Test
	void aWorkerWhoseJobsAreLockedIsHeardOf() throws Exception {
		CountDownLatch running = new CountDownLatch(1);
		this.engine.process()
			.limits(new StatementTimeouts(Duration.ofSeconds(50), Duration.ofSeconds(50), Duration.ofSeconds(55)))
			.handle("long", (payload, context) -> {
				running.countDown();
				int done = 0;
				while (!this.release.await(10, TimeUnit.MILLISECONDS)) {
					context.progress(++done, 0, null);
				}
			})
			.startAndListen();
		this.engine.enqueue("long");
		running.await();
		try (Connection other = this.engine.dataSource().getConnection();
				Statement statement = other.createStatement()) {
			other.setAutoCommit(false);
			statement.execute("lock table rowqueue.job in access exclusive mode");
			await("all who need a lock wait for it")
				.until(() -> this.engine.number("select count(*) from pg_locks where not granted"
						+ " and relation = 'rowqueue.job'::regclass") >= 2);
			for (int i = 0; i < 5; i++) {
				String before = heartbeat();
				await("heartbeat").until(() -> !heartbeat().equals(before));
			}
			other.rollback();
		}
		this.release.countDown();
		this.engine.awaitAllOver();
	}

	private String heartbeat() {
		return this.engine.jdbc()
			.query("select heartbeat_at::text from rowqueue.worker", (row, index) -> row.getString(1))
			.get(0);
	}

	@Test
	void aStatementWithoutAResponseIsAborted() throws Exception {
		try (Wire wire = new Wire(this.engine);
				Connection connection = new WorkerDataSource(wire.dataSource(), false, null, SHORT_FOR_ANSWERS)
					.getConnection();
				Statement statement = connection.createStatement()) {
			wire.swallow(true);
			CompletableFuture<String> state = Async.supply(() -> {
				try {
					return "answered: " + statement.execute("select 1");
				}
				catch (SQLException ex) {
					return ex.getSQLState();
				}
			});
			try {
				assertThat(state).succeedsWithin(Engine.PATIENCE).isEqualTo("08006");
			}
			finally {
				// or a statement that is still waiting would not let go of the connection
				wire.close();
			}
		}
	}

	@Test
	void theServerHangs() throws Exception {
		try (Wire wire = new Wire(this.engine)) {
			survives(this.engine.process().failingSoon().through(wire.dataSource()), SHORT_FOR_ANSWERS, AWAY, BACK,
					() -> wire.swallow(true), () -> wire.swallow(false));
			assertThat(wire.connections()).isLessThan(200);
		}
	}

	@Test
	void theServerStartsUp() throws Exception {
		try (Wire wire = new Wire(this.engine)) {
			survives(this.engine.process().failingSoon().through(wire.dataSource()), LONG, AWAY, BACK,
					() -> wire.startUp(true), () -> wire.startUp(false));
		}
	}

	/** The application has used up its own connections, and the worker has others. */
	@Test
	void theApplicationsPoolIsEmpty() throws SQLException {
		HikariDataSource application = this.engine.pool(1);
		application.setConnectionTimeout(5000);
		try (Log log = Log.ofTheEngine()) {
			TestProcess process = this.engine.process().application(application).handle("test", (payload, context) -> {
			}).startAndListen();
			try (Connection taken = application.getConnection()) {
				assertThat(taken.isClosed()).isFalse();
				assertThatExceptionOfType(RuntimeException.class)
					.isThrownBy(() -> process.queue().enqueue("test", null))
					.withStackTraceContaining("Connection is not available, request timed out after")
					.withStackTraceContaining("total=1, active=1, idle=0");
				this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
			}
			this.engine.awaitState(process.queue().enqueue("test", null).id(), JobState.SUCCEEDED);
			assertThat(log.lines(Level.WARN)).isEmpty();
		}
	}

	/**
	 * What is the matter concerns new sessions only. The old ones end at once, or the
	 * queue would find that the database is back as long as one of them is left.
	 */
	private void survivesWithNewSessions(String beginning, String begin, String over) throws Exception {
		try (Wire wire = new Wire(this.engine)) {
			survives(this.engine.process().failingSoon().through(asRole(wire.dataSource())), LONG, beginning, BACK,
					() -> {
						alterRole(begin);
						wire.cut();
					}, () -> alterRole(over));
		}
	}

	private void alterRole(String change) {
		this.engine.jdbc().execute("alter role " + this.role + " " + change);
	}

	private void survives(TestProcess.Builder process, StatementTimeouts limits, String beginning, String end,
			Runnable begin, Runnable over) throws InterruptedException {
		try (Log log = Log.ofTheEngine()) {
			CountDownLatch running = new CountDownLatch(1);
			process.limits(limits)
				.withMaintenance()
				.handle("test", (payload, context) -> run(context.id()))
				.handle("long", (payload, context) -> {
					run(context.id());
					running.countDown();
					this.release.await();
				})
				.startAndListen();
			long before = this.engine.enqueue("test");
			this.engine.awaitState(before, JobState.SUCCEEDED);
			long during = this.engine.enqueue("long");
			running.await();
			begin.run();
			await("begins").until(() -> log.lines(Level.WARN).stream().anyMatch((line) -> line.startsWith(beginning)));
			this.release.countDown(); // ends while nothing can be written
			over.run();
			long after = this.engine.enqueue("test");
			this.engine.awaitState(during, JobState.SUCCEEDED);
			this.engine.awaitState(after, JobState.SUCCEEDED);
			List<String> infos = await("ends").until(() -> log.lines(Level.INFO),
					(lines) -> lines.get(lines.size() - 1).startsWith(end));
			List<List<String>> outages = outages(infos, end);
			assertThat(outages).anySatisfy(
					(lines) -> assertThat(lines).last().asString().startsWith(beginning + "; the queue retries"));
			assertThat(outages).isNotEmpty().allSatisfy((lines) -> {
				assertThat(lines).as("it began before it ended").isNotEmpty();
				// sessions that were ended tell so, and new ones why they cannot begin
				assertThat(lines).filteredOn((line) -> !line.startsWith(AWAY + "; ")).hasSizeLessThan(2);
				assertThat(lines).filteredOn((line) -> line.startsWith(AWAY + "; ")).hasSizeLessThan(2);
			});
			assertThat(this.runs.keySet()).containsExactlyInAnyOrder(before, during, after);
			assertThat(this.runs.values()).allMatch((number) -> number.get() == 1);
			assertThat(this.engine.count("worker where dead_at is null")).isOne();
		}
	}

	/**
	 * What was logged of each outage before its end. A statement that begins before the
	 * end of one may fail after it: then that is another one.
	 */
	private static List<List<String>> outages(List<String> lines, String end) {
		List<List<String>> outages = new ArrayList<>();
		List<String> outage = new ArrayList<>();
		for (String line : lines) {
			if (line.startsWith(end)) {
				outages.add(outage);
				outage = new ArrayList<>();
			}
			else if (line.contains("; the queue retries")) {
				outage.add(line);
			}
		}
		return outages;
	}

	private void run(long id) {
		this.runs.computeIfAbsent(id, (job) -> new AtomicInteger()).incrementAndGet();
	}

	private PGSimpleDataSource asRole(PGSimpleDataSource dataSource) {
		dataSource.setUser(this.role);
		dataSource.setPassword("secret");
		return dataSource;
	}

	private void terminateSessions() {
		this.engine.jdbc().query("select pg_terminate_backend(pid) from pg_stat_activity where usename = ?", (row) -> {
		}, this.role);
	}

}
