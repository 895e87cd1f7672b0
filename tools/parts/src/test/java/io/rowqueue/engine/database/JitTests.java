package io.rowqueue.engine.database;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.measure.HorizonStore;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.measure.MeasurementStore;
import io.rowqueue.engine.schedule.DeclaredSchedules;
import io.rowqueue.engine.schedule.DeclaredSchedules.Declaration;
import io.rowqueue.engine.schedule.ScheduleStore;
import io.rowqueue.engine.schedule.ScheduleTask;
import io.rowqueue.listen.JobListener;
import io.rowqueue.engine.window.WindowStore;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.ScheduleStatus.Source;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.CompiledStatements;
import io.rowqueue.testing.Engine;
import io.rowqueue.window.ClosingPolicy;
import io.rowqueue.window.Window;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * No statement of the queue is compiled with JIT. Up to PostgreSQL 17 a sequential scan
 * costs 1e10 while enable_seqscan is off, which is more than each of the costs above
 * which the server compiles: a statement that reads a handful of rows would take half a
 * second of CPU time, each time.
 */
class JitTests {

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	@Test
	void noStatementOfAWorkerIsCompiled() {
		assumeTrue(this.engine.jdbc().queryForObject("select pg_jit_available()", Boolean.class),
				"this server has no LLVM");
		CompiledStatements connections = new CompiledStatements(this.engine.dataSource());
		this.engine.limits().set(LimitKind.TYPE, "limited", Limit.perPeriod(1000, Duration.ofSeconds(1)), true);
		this.engine.limits().set(LimitKind.QUEUE, "narrow", Limit.concurrency(2), true);
		JdbcTemplate jdbc = new JdbcTemplate(
				this.engine.pool(1, new WorkerDataSource(connections, false, null, StatementTimeouts.DEFAULT)));
		WindowStore windows = new WindowStore(new QueueDatabase(jdbc, SchemaName.DEFAULT));
		Window window = Window.of("day", "UTC", "00:00-24:00").closing(ClosingPolicy.STOP).queues("default");
		windows.put(window, window.opening(windows.now()), false);

		DeclaredSchedules declared = new DeclaredSchedules(List.of(new Declaration(
				Schedule.of("each second", Rhythm.every(Duration.ofSeconds(1)), JobRequest.of("recurring")), null, null,
				Source.ANNOTATION)), List.of());
		this.engine.process()
			.through(connections)
			.withMaintenance()
			.concurrency("narrow", 2)
			.task((database, wakeUps) -> new ScheduleTask(new ScheduleStore(database), wakeUps, declared,
					JobListener.NONE, StoreListener.NONE))
			.labels(declared.labels())
			.handle("plain", (payload, context) -> {
			})
			.handle("limited", (payload, context) -> {
			})
			.handle("recurring", (payload, context) -> {
			})
			.handle("failing", (payload, context) -> {
				throw new IllegalStateException("as the test wants");
			})
			.startAndListen();
		this.engine.queue().enqueueAll(Collections.nCopies(20, JobRequest.of("limited")));
		this.engine.queue().enqueueAll(Collections.nCopies(20, JobRequest.of("plain").queue("narrow")));
		this.engine.queue().enqueueAll(Collections.nCopies(20, JobRequest.of("plain").limitKey("customer:1")));
		this.engine.enqueue(JobRequest.of("plain").uniqueKey("key").duplicates(DuplicatePolicy.runAgain()));
		long first = this.engine.enqueue(JobRequest.of("plain").delay(Duration.ofMillis(600)));
		long last = this.engine.enqueue(JobRequest.of("plain").after(first));
		long failing = this.engine.enqueue("failing");
		this.engine.awaitState(last, JobState.SUCCEEDED);
		this.engine.awaitState(failing, JobState.FAILED);
		Awaitility.await("each kind of job")
			.until(() -> this.engine.number("select count(distinct type) from rowqueue.job_finished") == 3);
		new MeasurementStore(new QueueDatabase(jdbc, SchemaName.DEFAULT)).measure(Duration.ofMinutes(1));
		new MeasurementStore(new QueueDatabase(jdbc, SchemaName.DEFAULT)).read();
		new HorizonStore(new QueueDatabase(jdbc, SchemaName.DEFAULT)).pins();
		windows.anyStops();
		windows.stopped();
		windows.closingWithin(1);

		assertThat(connections.compiled()).isEmpty();
		assertThat(connections.plans()).isGreaterThan(100);
	}

	@Test
	void aStatementThatIsCompiledIsSeen() throws Exception {
		assumeTrue(this.engine.jdbc().queryForObject("select pg_jit_available()", Boolean.class),
				"this server has no LLVM");
		CompiledStatements connections = new CompiledStatements(this.engine.dataSource());
		try (Connection connection = connections.getConnection(); Statement statement = connection.createStatement()) {
			statement.execute("set jit_above_cost = 0");
			statement.execute("select count(*) from rowqueue.worker where id < 0");
		}
		assertThat(connections.compiled()).singleElement().asString().contains("rowqueue.worker");
	}

	/** They may be called on connections of others, which have other settings. */
	@Test
	void noFunctionMakesSequentialScansExpensiveWithoutSwitchingJitOff() {
		List<String> functions = this.engine.jdbc()
			.queryForList("select proname from pg_proc where pronamespace = 'rowqueue'::regnamespace"
					+ " and 'enable_seqscan=off' = any (proconfig) order by proname", String.class);
		assertThat(functions).contains("enqueue_keyed", "claim_limited");
		assertThat(this.engine.jdbc()
			.queryForList("select proname from pg_proc where pronamespace = 'rowqueue'::regnamespace"
					+ " and 'enable_seqscan=off' = any (proconfig) and 'jit=off' = any (proconfig) order by proname",
					String.class))
			.isEqualTo(functions);
	}

}
