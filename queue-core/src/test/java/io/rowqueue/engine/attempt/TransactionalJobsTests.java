package io.rowqueue.engine.attempt;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import ch.qos.logback.classic.Level;
import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.Job;
import io.rowqueue.JobContext;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.recovery.RecoveryStore;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.flow.Flow;
import io.rowqueue.listen.AttemptEnd;
import io.rowqueue.listen.JobListener;
import io.rowqueue.postgres.Dose;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.Seed;
import io.rowqueue.testing.TestHooks;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.UnsafeCommits;
import io.rowqueue.testing.UnsafeCommits.Fault;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Handlers whose writes are committed together with the end of their job. */
class TransactionalJobsTests {

	private static final Logger logger = LoggerFactory.getLogger(TransactionalJobsTests.class);

	@AutoClose
	private final Engine engine = new Engine();

	private final HikariDataSource pool = this.engine.pool(8);

	private final JdbcTemplate application = new JdbcTemplate(this.pool);

	private final RecoveryStore others = this.engine.recovery();

	private final CountDownLatch running = new CountDownLatch(1);

	private final CountDownLatch finish = new CountDownLatch(1);

	@BeforeEach
	void createTheApplicationsTable() {
		this.engine.jdbc().execute("drop table if exists effect");
		this.engine.jdbc().execute("create table effect (job_id bigint not null, n integer)");
	}

	private final List<Long> failed = new CopyOnWriteArrayList<>();

	private final WorkerHooks hooks = TestHooks.of(List.of(), new JobListener() {
		@Override
		public void failed(JobContext job, AttemptEnd end) {
			TransactionalJobsTests.this.failed.add(job.id());
		}
	}, StoreListener.NONE);

	@Test
	void writesAndSuccessAreCommittedTogether() throws Exception {
		process().handleInTransaction("test", (payload, context) -> {
			write(context.id());
			this.running.countDown();
			this.finish.await();
		}).start();
		long id = this.engine.enqueue("test");
		this.running.await();
		assertThat(effects()).as("not committed yet").isZero();
		this.finish.countDown();
		Job job = this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(effects()).isOne();
		assertThat(job.attempt()).isOne();
	}

	@Test
	void anExceptionAfterTheCommitChangesNothing() {
		List<AttemptEnd.Outcome> outcomes = new CopyOnWriteArrayList<>();
		List<String> arrived = new CopyOnWriteArrayList<>();
		try (Log log = Log.ofJobs(); TestProcess process = process().hooks(TestHooks.of(List.of(), new JobListener() {
			@Override
			public void ended(JobContext job, AttemptEnd end) {
				outcomes.add(end.outcome());
			}
		}, StoreListener.NONE)).handleInTransaction("test", (payload, context) -> {
			write(context.id());
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					throw new IllegalStateException("as planned");
				}

			});
		}).startAndListen();
				WakeUps.Registration listening = process.wakeUps()
					.listen((arrivals) -> arrived.addAll(arrivals.queues()))) {
			long first = process.queue()
				.enqueue(Flow.named("flow")
					.job("first", JobRequest.of("test", "payload"))
					.job("next", JobRequest.of("next").queue("next"))
					.after("first"))
				.jobId("first");
			await("the successor is announced").until(() -> arrived.contains("next"));
			await().until(() -> !outcomes.isEmpty());
			assertThat(outcomes).containsExactly(AttemptEnd.Outcome.SUCCEEDED);
			assertThat(effects()).isOne();
			assertThat(this.engine.count("job_failure")).isZero();
			assertThat(log.traces(Level.ERROR)).singleElement()
				.asString()
				.startsWith("Job " + first + " (test) has succeeded");
		}
	}

	@Test
	void aFailureLeavesNoWritesAndIsRecorded() {
		process().handleInTransaction("test", (payload, context) -> {
			write(context.id());
			if (context.leaseToken() == 1) {
				throw new IOException("as planned");
			}
		}).start();
		long id = this.engine.enqueue("test");
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(effects()).isOne();
		assertThat(this.engine.failures(id)).hasSize(1);
		assertThat(this.engine.job(id).lastError()).contains("as planned");
	}

	@Test
	void whatItEnqueuesExistsOnlyIfItSucceeds() {
		AtomicReference<JobQueue> queue = new AtomicReference<>();
		TestProcess process = process().handleInTransaction("parent", (payload, context) -> {
			queue.get().enqueue("child", context.attempt());
			if (context.leaseToken() == 1) {
				throw new IllegalStateException("as planned");
			}
		}).startAndListen();
		queue.set(process.queue());
		this.engine.awaitState(this.engine.enqueue("parent"), JobState.SUCCEEDED);
		assertThat(this.engine.jdbc()
			.queryForList("select payload::text from rowqueue.job where type = 'child'", String.class))
			.containsExactly("2");
	}

	@Test
	void anErrorThatTheHandlerHidesFailsTheAttempt() {
		process().maxAttempts(1).handleInTransaction("test", (payload, context) -> {
			try {
				this.application.execute("select 1 / 0");
			}
			catch (RuntimeException ex) {
				logger.debug("Hidden", ex);
			}
		}).start();
		assertThat(this.engine.awaitState(this.engine.enqueue("test"), JobState.FAILED).lastError())
			.contains("transaction is aborted");
	}

	@Test
	void aStaleWorkerCannotCommitItsWrites() throws Exception {
		process().maxAttempts(5).handleInTransaction("test", (payload, context) -> {
			write(context.id());
			if (context.leaseToken() == 1) {
				this.running.countDown();
				Async.awaitDeaf(this.finish);
			}
		}).start();
		long id = this.engine.enqueue("test");
		this.running.await();
		giveUpAllWorkers();
		// the others did not wait for its transaction
		this.engine.awaitState(id, JobState.SUCCEEDED);
		this.finish.countDown();
		await("the stale transaction has ended")
			.until(() -> this.pool.getHikariPoolMXBean().getActiveConnections() == 0);
		assertThat(effects()).isOne();
	}

	@Test
	void aTransactionalJobIsShownAsRunningAndCanBeCancelled() throws Exception {
		process().handleInTransaction("test", (payload, context) -> {
			write(context.id());
			new CountDownLatch(1).await();
		}).start();
		long id = this.engine.enqueue("test");
		this.engine.awaitState(id, JobState.RUNNING);
		this.engine.control().cancel(id);
		this.engine.awaitState(id, JobState.CANCELLED);
		assertThat(effects()).isZero();
		assertThat(this.engine.failures(id)).isEmpty();
	}

	@Test
	void aShutdownThatInterruptsItLeavesNoWrites() throws Exception {
		TestProcess process = process().shutdownTimeout(Duration.ZERO)
			.handleInTransaction("test", (payload, context) -> {
				write(context.id());
				this.running.countDown();
				new CountDownLatch(1).await();
			})
			.start();
		long id = this.engine.enqueue("test");
		this.running.await();
		process.stop();
		assertThat(this.engine.job(id).state()).isEqualTo(JobState.QUEUED);
		assertThat(effects()).isZero();
	}

	@Test
	void otherHandlersRunInNoTransaction() {
		AtomicBoolean inTransaction = new AtomicBoolean(true);
		process()
			.handle("test",
					(payload, context) -> inTransaction
						.set(TransactionSynchronizationManager.isActualTransactionActive()))
			.start();
		this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
		assertThat(inTransaction).isFalse();
	}

	@Test
	void aSerializableDataSourceDoesNotMakeItFail() {
		this.pool.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
		process().maxAttempts(1).handleInTransaction("test", (payload, context) -> {
			write(context.id());
			await().until(() -> this.engine.job(context.id()).state() == JobState.RUNNING);
		}).start();
		this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
	}

	@Test
	void aCommitWhoseAnswerIsLostCounts() {
		try (Log log = Log.ofTheEngine()) {
			long id = runWithFaults(new AtomicInteger(), Fault.AFTER);
			await("the answer was not needed").until(() -> log.lines(Level.INFO)
				.stream()
				.anyMatch((line) -> line.contains("its transaction was committed although the response was lost")));
			assertThat(this.engine.job(id).state()).isEqualTo(JobState.SUCCEEDED);
			assertThat(effects()).isOne();
			assertThat(this.engine.job(id).attempt()).isOne();
			assertThat(log.lines(Level.ERROR)).isEmpty();
			assertThat(log.lines(Level.WARN)).noneMatch((line) -> line.contains("this outcome is rejected"));
			assertThat(this.failed).isEmpty();
		}
	}

	@Test
	void aCommitThatDoesNotArriveIsRepeated() {
		long id = runWithFaults(new AtomicInteger(), Fault.BEFORE);
		assertThat(this.engine.awaitState(id, JobState.SUCCEEDED).attempt()).as("it costs none").isOne();
		assertThat(effects()).isOne();
		assertThat(this.engine.failures(id)).isEmpty();
	}

	@Test
	void aTransactionThatCannotBeBegunCostsNoAttempt() {
		AtomicInteger connections = new AtomicInteger();
		DataSource refusing = new DelegatingDataSource(this.pool) {
			@Override
			public Connection getConnection() throws SQLException {
				if (connections.incrementAndGet() < 3) {
					throw new SQLTransientConnectionException("none is available, says the test");
				}
				return super.getConnection();
			}
		};
		this.engine.process()
			.application(refusing)
			.withMaintenance()
			.maxAttempts(1)
			.handleInTransaction("test", (payload, context) -> write(context.id()))
			.start();
		long id = this.engine.enqueue("test");
		assertThat(this.engine.awaitState(id, JobState.SUCCEEDED).attempt()).isOne();
		assertThat(this.engine.failures(id)).isEmpty();
	}

	@Test
	void aSessionThatIsGoneWhenTheJobIsToBeEndedCostsNoAttempt() {
		process().maxAttempts(1).handleInTransaction("test", (payload, context) -> {
			write(context.id());
			if (context.leaseToken() == 1) {
				endSession();
			}
		}).start();
		long id = this.engine.enqueue("test");
		assertThat(this.engine.awaitState(id, JobState.SUCCEEDED).attempt()).isOne();
		assertThat(effects()).isOne();
	}

	@Test
	void aHandlerWhoseOwnStatementFailsHasUsedItsAttempt() {
		process().maxAttempts(1).handleInTransaction("test", (payload, context) -> {
			endSession();
			write(context.id());
		}).start();
		this.engine.awaitState(this.engine.enqueue("test"), JobState.FAILED);
		assertThat(effects()).isZero();
	}

	@Test
	void aHandlerWhoseSessionEndsEachTimeFails() {
		process().maxAttempts(1).handleInTransaction("test", (payload, context) -> endSession()).start();
		long id = this.engine.enqueue(JobRequest.of("test").delay(Duration.ofHours(1)));
		this.engine.jdbc().update("update rowqueue.job set lease = 20, state = 'queued' where id = ?", id);
		this.engine.awaitState(id, JobState.FAILED);
		await().untilAsserted(() -> assertThat(this.failed).containsExactly(id));
	}

	private void endSession() {
		int session = this.application.queryForObject("select pg_backend_pid()", Integer.class);
		this.engine.jdbc().queryForObject("select pg_terminate_backend(?, 10000)", Boolean.class, session);
	}

	@Test
	void everyJobTakesEffectOnceWhateverBreaks() {
		long seed = Seed.of(this);
		Random random = new Random(seed);
		process(() -> switch (random.nextInt(6)) {
			case 0 -> Fault.BEFORE;
			case 1 -> Fault.AFTER;
			default -> Fault.NONE;
		}).withMaintenance()
			.maxAttempts(1000)
			.handleInTransaction("test", (payload, context) -> write(context.id()))
			.start();
		List<Long> ids = IntStream.range(0, Dose.of(100, 300)).mapToObj((i) -> this.engine.enqueue("test")).toList();
		for (int i = 0; i < 3; i++) {
			long more = Math.min(effects() + 30, ids.size());
			await().until(() -> effects() >= more);
			giveUpAllWorkers();
		}
		// also what a claim brings that was under way
		this.engine.awaitAllOver(() -> this.others.recover(1000, 10_000));
		assertThat(this.engine.jdbc().queryForList("select job_id from effect", Long.class)).as("seed %d", seed)
			.containsExactlyInAnyOrderElementsOf(ids);
	}

	private long runWithFaults(AtomicInteger commits, Fault first) {
		process(() -> (commits.getAndIncrement() == 0) ? first : Fault.NONE).maxAttempts(1)
			.handleInTransaction("test", (payload, context) -> write(context.id()))
			.start();
		return this.engine.enqueue("test");
	}

	private TestProcess.Builder process() {
		return this.engine.process().hooks(this.hooks).application(this.pool);
	}

	private TestProcess.Builder process(Supplier<Fault> faults) {
		UnsafeCommits unsafe = new UnsafeCommits(this.pool, this.engine.jdbc(), faults);
		this.application.setDataSource(unsafe);
		return this.engine.process().hooks(this.hooks).application(unsafe);
	}

	private void write(long id) {
		this.application.update("insert into effect (job_id) values (?)", id);
	}

	private long effects() {
		return this.engine.number("select count(*) from effect");
	}

	private void giveUpAllWorkers() {
		this.engine.declareWorkersDead();
		this.others.recover(1000, 10_000);
	}

}
