package io.rowqueue.engine.worker;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.DuplicatePolicy;
import io.rowqueue.HandlerOptions;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.database.StatementTimeouts;
import io.rowqueue.engine.database.WorkerDataSource;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.listen.JobListener;
import io.rowqueue.postgres.PgBouncer;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.TestHooks;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Everything works through a PgBouncer in transaction mode, which lends each transaction
 * one of three sessions; and none of them is left other than it was.
 */
class PoolerTests {

	private static final int SESSIONS = 3;

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	@AutoClose
	private final Log listener = new Log(Listener.class);

	@AutoClose
	private final Log outage = new Log(Outage.class);

	private PgBouncer pooler;

	private HikariDataSource application;

	@BeforeEach
	void start() {
		assumeThat(PgBouncer.program()).as("a pgbouncer on the path, or named by -Dpgbouncer").isPresent();
		this.pooler = PgBouncer.start(this.engine.database(), SESSIONS);
		this.application = this.engine.pool(2, address());
	}

	@AfterEach
	void stop() throws Exception {
		this.engine.close(); // before the pooler is gone
		if (this.pooler != null) {
			this.pooler.close();
		}
	}

	@Test
	void jobsRunAndNothingIsLeftInTheSessions() throws Exception {
		Map<Long, AtomicInteger> runs = new ConcurrentHashMap<>();
		CountDownLatch stopped = new CountDownLatch(1);
		TestProcess process = process().withMaintenance()
			.handle("test",
					(payload, context) -> runs.computeIfAbsent(context.id(), (id) -> new AtomicInteger())
						.incrementAndGet())
			.handle("once", (payload, context) -> {
				context.progress(1, 2, "half");
				if (context.attempt() == 1) {
					throw new IllegalStateException("once");
				}
			})
			.register((handlers) -> handlers.addReturning("result", String.class, HandlerOptions.NONE,
					(payload, context) -> "done"))
			.handleInTransaction("transactional", (payload, context) -> {
			})
			.handle("endless", (payload, context) -> {
				stopped.countDown();
				new CountDownLatch(1).await();
			})
			.start();
		process.queue().enqueueAll(Collections.nCopies(1000, JobRequest.of("test")));
		long once = process.queue().enqueue("once", null).id();
		long transactional = process.queue().enqueue("transactional", null).id();
		long result = process.queue().enqueue("result", null).id();
		long later = process.queue().enqueue(JobRequest.of("test").delay(Duration.ofMillis(300))).id();
		long keyed = process.queue()
			.enqueue(JobRequest.of("once").uniqueKey("key").duplicates(DuplicatePolicy.runAgain()))
			.id();
		long endless = process.queue().enqueue("endless", null).id();
		stopped.await();
		assertThat(this.engine.control().cancel(endless)).isNotNull();
		for (long id : new long[] { once, transactional, later, keyed, result }) {
			this.engine.awaitState(id, JobState.SUCCEEDED);
		}
		this.engine.awaitState(endless, JobState.CANCELLED);
		this.engine.awaitAllOver();
		assertThat(runs).hasSize(1001);
		assertThat(runs.values()).allMatch((number) -> number.get() == 1);
		assertThat(this.outage.lines(Level.WARN)).isEmpty();
		assertThatSessionsAreUntouched();
		process.stop();
		assertThatSessionsAreUntouched();
		assertThat(this.engine.workers()).isZero();
	}

	@Test
	void aJobStartsDirectly() throws SQLException {
		AtomicInteger claimed = new AtomicInteger();
		TestProcess process = process().directStart()
			.hooks(TestHooks.of(List.of(), JobListener.NONE, new StoreListener() {

				@Override
				public void claimed(int jobs, Duration took) {
					claimed.addAndGet(jobs);
				}

			}))
			.handle("test", (payload, context) -> {
			})
			.start();
		process.awaitIdleSlot("default", "test");
		for (int i = 0; i < 20; i++) {
			this.engine.awaitState(process.queue().enqueue("test", null).id(), JobState.SUCCEEDED);
			process.awaitIdleSlot("default", "test");
		}
		assertThat(claimed).as("jobs whose reservation was late, on a machine that stood still").hasValueLessThan(10);
		assertThatSessionsAreUntouched();
	}

	@Test
	void aWorkerSaysOnceThatItPolls() {
		TestProcess process = process().listener(with(null)).handle("test", (payload, context) -> {
		}).start();
		await().until(() -> process.notifications() == NotificationStatus.NOT_RECEIVING);
		for (int i = 0; i < 20; i++) {
			this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
		}
		assertThat(this.listener.lines(Level.INFO)).singleElement()
			.asString()
			.contains("its connections lead to a pooler. It polls every 200 ms instead")
			.contains("rowqueue.notifications.url", "prepareThreshold=0");
		assertThat(this.engine.count("worker where session_locked")).isZero();
	}

	@Test
	void anAddressOfTheServerItselfLetsItHear() {
		TestProcess process = process().withoutPolling()
			.listener(with(this.engine.dataSource()))
			.handle("test", (payload, context) -> {
			})
			.startAndListen();
		await().until(() -> process.notifications() == NotificationStatus.RECEIVING);
		for (int i = 0; i < 20; i++) {
			this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
		}
		assertThat(this.listener.lines(Level.INFO)).isEmpty();
	}

	@Test
	void aStatementThatFailsLeavesNoTransactionBehind() throws SQLException {
		this.engine.jdbc().execute("create table thing (id int primary key)");
		HikariDataSource worker = this.engine.pool(1,
				new WorkerDataSource(address(), false, null, StatementTimeouts.DEFAULT));
		for (int i = 0; i < 20; i++) {
			try (Connection connection = worker.getConnection(); Statement statement = connection.createStatement()) {
				statement.executeUpdate("insert into public.thing values (1)");
				assertThat(i).isZero();
			}
			catch (SQLException ex) {
				assertThat(ex.getSQLState()).isEqualTo("23505");
			}
		}
		assertThat(this.engine.number("select count(*) from pg_stat_activity where datname = current_database()"
				+ " and state like 'idle in transaction%'"))
			.isZero();
		try (Connection connection = worker.getConnection(); Statement statement = connection.createStatement()) {
			assertThat(show(statement, "show transaction_isolation")).isEqualTo("read committed");
			assertThat(show(statement, "show enable_seqscan")).isEqualTo("off");
			assertThat(show(statement, "show lock_timeout")).isEqualTo("5s");
		}
	}

	@Test
	void aTransactionOfSeveralStatementsHasTheSettingsOfAWorker() throws SQLException {
		HikariDataSource worker = this.engine.pool(1,
				new WorkerDataSource(address(), false, null, StatementTimeouts.DEFAULT));
		try (Connection connection = worker.getConnection(); Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			assertThat(show(statement, "show enable_seqscan")).isEqualTo("off");
			assertThat(show(statement, "show lock_timeout")).isEqualTo("5s");
			connection.commit();
		}
		assertThatSessionsAreUntouched();
	}

	private TestProcess.Builder process() {
		return this.engine.process().through(address()).application(this.application).maxAttempts(5);
	}

	private static ListenerSettings with(PGSimpleDataSource direct) {
		Duration time = Duration.ofMillis(500);
		return new ListenerSettings(true, direct, (direct != null) ? Engine.PATIENCE : time, time, time);
	}

	/** What the application is advised to set as well. */
	private PGSimpleDataSource address() {
		PGSimpleDataSource address = this.pooler.before(this.engine.database()).dataSource();
		address.setPrepareThreshold(0);
		return address;
	}

	/** Holds all sessions of the pooler at once, and looks at each of them. */
	private void assertThatSessionsAreUntouched() throws SQLException {
		List<Connection> all = new ArrayList<>();
		List<String> found = new ArrayList<>();
		try {
			for (int i = 0; i < SESSIONS; i++) {
				Connection connection = address().getConnection();
				all.add(connection);
				connection.setAutoCommit(false);
				try (Statement statement = connection.createStatement()) {
					found.add(show(statement, "select concat_ws(' ', current_setting('enable_seqscan'),"
							+ " current_setting('statement_timeout'), current_setting('lock_timeout'),"
							+ " current_setting('idle_in_transaction_session_timeout'),"
							+ " current_setting('default_transaction_isolation'),"
							+ " (select count(*) from pg_listening_channels()),"
							+ " (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()))"));
				}
			}
		}
		finally {
			for (Connection connection : all) {
				connection.rollback();
				connection.close();
			}
		}
		assertThat(found).hasSize(SESSIONS).containsOnly("on 0 0 0 read committed 0 0");
	}

	private static String show(Statement statement, String sql) throws SQLException {
		try (ResultSet row = statement.executeQuery(sql)) {
			row.next();
			return row.getString(1);
		}
	}

}
