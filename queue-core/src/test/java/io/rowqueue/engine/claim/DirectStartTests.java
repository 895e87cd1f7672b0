package io.rowqueue.engine.claim;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.HandlerOptions;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.listen.JobListener;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Proxies;
import io.rowqueue.testing.TestHooks;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.Transactions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A job that is enqueued in a process with an idle slot starts right after the commit.
 */
@Execution(ExecutionMode.CONCURRENT)
class DirectStartTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final HikariDataSource application = this.engine.pool(8);

	private final TransactionTemplate transaction = Transactions.template(this.application);

	private final Map<Long, Integer> runs = new ConcurrentHashMap<>();

	private final AtomicInteger claimed = new AtomicInteger();

	@Test
	void itRunsWithoutAClaim() {
		TestProcess process = idle(process());
		long job = directly(process,
				() -> process.queue().enqueue(JobRequest.of("test", "payload").queue("mail")).id());
		assertThat(this.engine.job(job)).satisfies((ended) -> {
			assertThat(ended.attempt()).isEqualTo(1);
			assertThat(ended.queue()).isEqualTo("mail");
			assertThat(ended.payload()).isEqualTo("\"payload\"");
		});
	}

	@Test
	void itStartsAfterTheCommitOfTheCaller() {
		TestProcess process = idle(process());
		directly(process, () -> this.transaction.execute((status) -> {
			long id = enqueue(process);
			assertThat(this.runs).doesNotContainKey(id);
			return id;
		}));
	}

	@Test
	void afterARollbackTheSlotIsFreeAgain() {
		TestProcess process = idle(process().concurrency(1));
		AtomicBoolean late = new AtomicBoolean(true);
		while (late.get()) {
			this.transaction.executeWithoutResult((status) -> {
				long begin = System.nanoTime();
				enqueue(process);
				boolean idle = process.hasIdleSlot("default", "test");
				late.set(isLate(begin));
				assertThat(idle && !late.get()).isFalse();
				status.setRollbackOnly();
			});
		}
		assertThat(process.hasIdleSlot("default", "test")).isTrue();
		long job = enqueue(process);
		this.engine.awaitState(job, JobState.SUCCEEDED);
		assertThat(this.runs).containsOnlyKeys(job);
	}

	/** The transaction of the caller may go on for long after that. */
	@Test
	void afterAnEnqueueThatFailsTheSlotIsFreeAgain() {
		TestProcess process = idle(process().concurrency(1));
		JdbcTemplate jdbc = new JdbcTemplate(this.application);
		this.transaction.executeWithoutResult((status) -> {
			jdbc.execute("savepoint before");
			assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> jdbc.execute("select 1 / 0"));
			assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> enqueue(process));
			jdbc.execute("rollback to before");
			assertThat(process.hasIdleSlot("default", "test")).isTrue();
		});
		directly(process, () -> enqueue(process));
	}

	@Test
	void anOpenTransactionBlocksNoSlot() {
		TestProcess process = idle(process().concurrency(1));
		long late = this.transaction.execute((status) -> {
			long id = enqueue(process);
			this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
			return id;
		});
		this.engine.awaitState(late, JobState.SUCCEEDED);
	}

	@Test
	void aJobWhoseSlotWasTakenBeforeTheCommitIsQueuedAgain() {
		CountDownLatch release = new CountDownLatch(1);
		TestProcess process = idle(process().concurrency(1).prefetch(0).handle("long", (job, context) -> {
			ran(context.id());
			release.await();
		}));
		long late = this.transaction.execute((status) -> {
			long id = enqueue(process);
			this.engine.awaitState(this.engine.enqueue("long"), JobState.RUNNING);
			return id;
		});
		assertThat(this.engine.awaitState(late, JobState.QUEUED).attempt()).as("attempts").isZero();
		assertThat(this.engine.leased()).isEqualTo(1);
		release.countDown();
		assertThat(this.engine.awaitState(late, JobState.SUCCEEDED).attempt()).isEqualTo(1);
	}

	@Test
	void aJobThatASavepointUndoesDoesNotRun() {
		TestProcess process = idle(process());
		TransactionTemplate nested = new TransactionTemplate(this.transaction.getTransactionManager());
		nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		long kept = this.transaction.execute((outer) -> {
			nested.executeWithoutResult((inner) -> {
				enqueue(process);
				inner.setRollbackOnly();
			});
			return nested.execute((inner) -> enqueue(process));
		});
		this.engine.awaitState(kept, JobState.SUCCEEDED);
		assertThat(this.runs).containsOnlyKeys(kept);
		assertThat(this.claimed).hasValue(1);
	}

	@Test
	void aSavepointThatSpringDoesNotKnowUndoesItToo() {
		TestProcess process = idle(process());
		JdbcTemplate jdbc = new JdbcTemplate(this.application);
		long kept = this.transaction.execute((status) -> {
			jdbc.execute("savepoint before");
			enqueue(process);
			jdbc.execute("rollback to before");
			return enqueue(process);
		});
		this.engine.awaitState(kept, JobState.SUCCEEDED);
		assertThat(this.runs).containsOnlyKeys(kept);
	}

	@Test
	void aJobWhoseTransactionTakesLongIsClaimed() {
		TestProcess process = idle(process());
		long job = this.transaction.execute((status) -> {
			long id = enqueue(process);
			long enqueued = System.nanoTime();
			// the lease is older, and the process counts from it with the same clock
			await().atMost(Engine.PATIENCE)
				.until(() -> System.nanoTime() - enqueued > DirectStarts.MAX_TRANSACTION.toNanos());
			return id;
		});
		assertThat(this.engine.awaitState(job, JobState.SUCCEEDED).attempt()).isEqualTo(1);
		assertThat(this.claimed).hasValue(1);
	}

	@Test
	void aSnapshotOfTheWholeTransactionGetsNoLease() {
		TestProcess process = idle(process());
		this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		long job = this.transaction.execute((status) -> {
			long id = enqueue(process);
			assertThat(this.engine.leased()).isZero();
			return id;
		});
		this.engine.awaitState(job, JobState.SUCCEEDED);
		assertThat(this.claimed).hasValue(1);
	}

	@Test
	void aPausedQueueStaysPaused() {
		TestProcess process = idle(process());
		this.engine.control().pauseQueue("default", "maintenance");
		long job = enqueue(process);
		assertThat(this.engine.job(job).state()).isEqualTo(JobState.QUEUED);
		this.engine.control().resumeQueue("default");
		this.engine.awaitState(job, JobState.SUCCEEDED);
		this.engine.control().pauseQueue("closing:*", "maintenance");
		long ofClass = process.queue().enqueue(JobRequest.of("test").queue("closing:ledger")).id();
		assertThat(this.engine.job(ofClass).state()).isEqualTo(JobState.QUEUED);
		this.engine.control().resumeQueue("closing:*");
		this.engine.awaitState(ofClass, JobState.SUCCEEDED);
	}

	@Test
	void aTypeOutsideOfItsWindowWaits() {
		TestProcess process = idle(process());
		this.engine.jdbc()
			.update("insert into rowqueue.pause (kind, name, source, open_from, open_until)"
					+ " values ('type', 'test', 'night', now() + interval '1 hour', now() + interval '2 hours')");
		long job = enqueue(process);
		assertThat(this.engine.job(job).state()).isEqualTo(JobState.QUEUED);
		assertThat(this.engine.leased()).isZero();
	}

	@Test
	void aQueueWithALimitIsClaimed() {
		TestProcess process = idle(process());
		this.engine.limits().set(LimitKind.QUEUE, "default", Limit.concurrency(1), true);
		this.engine.awaitState(enqueue(process), JobState.SUCCEEDED);
		assertThat(this.claimed).hasValue(1);
	}

	static Stream<JobRequest> requestsThatAreClaimed() {
		JobRequest plain = JobRequest.of("test", "payload");
		return Stream.of(plain.uniqueKey("key"), plain.limitKey("customer:1"), plain.fairnessKey("tenant"),
				plain.delay(Duration.ofMillis(1)), plain.tolerance(Duration.ofHours(1)), plain.tags("tag"),
				plain.expiresIn(Duration.ofHours(1)));
	}

	@ParameterizedTest
	@MethodSource("requestsThatAreClaimed")
	void aJobThatIsNotPlainIsClaimed(JobRequest request) {
		TestProcess process = idle(process().withMaintenance());
		this.engine.awaitState(process.queue().enqueue(request).id(), JobState.SUCCEEDED);
		assertThat(this.claimed).hasValue(1);
	}

	@Test
	void theJobsOfABulkEnqueueAreClaimed() {
		TestProcess process = idle(process());
		process.queue().enqueueAll(Collections.nCopies(5, JobRequest.of("test", "payload")));
		this.engine.awaitAllOver();
		assertThat(this.claimed).hasValue(5);
		assertThat(this.runs).hasSize(5);
	}

	@Test
	void aTransactionalHandlerStartsDirectly() {
		this.engine.jdbc().execute("create table public.direct_effect (job bigint)");
		JdbcTemplate jdbc = new JdbcTemplate(this.application);
		TestProcess process = idle(process().handleInTransaction("transactional",
				(job, context) -> jdbc.update("insert into public.direct_effect values (?)", context.id())));
		long job = directly(process, () -> process.queue().enqueue(JobRequest.of("transactional", "payload")).id());
		assertThat(this.engine.number("select count(*) from public.direct_effect where job = ?", job)).isEqualTo(1);
	}

	@Test
	void aJobOfATransactionalHandlerStartsOnlyIfItsTransactionIsCommitted() {
		AtomicReference<TestProcess> own = new AtomicReference<>();
		AtomicLong last = new AtomicLong();
		TestProcess process = idle(process().handleInTransaction("parent", (job, context) -> {
			last.set(enqueue(own.get()));
			if (context.attempt() == 1) {
				throw new IllegalStateException("once");
			}
		}));
		own.set(process);
		long parent = process.queue().enqueue(JobRequest.of("parent", "payload")).id();
		assertThat(this.engine.awaitState(parent, JobState.SUCCEEDED).attempt()).isEqualTo(2);
		this.engine.awaitState(last.get(), JobState.SUCCEEDED);
		assertThat(this.runs).containsOnly(Map.entry(last.get(), 1));
	}

	@Test
	void aTypeWhoseNumberAtOnceIsLimitedIsClaimed() {
		TestProcess process = idle(process().handle("limited", HandlerOptions.NONE.concurrency(1), (job, context) -> {
		}));
		assertThat(process.hasIdleSlot("default", "limited")).isFalse();
		this.engine.limits().set(LimitKind.TYPE, "test", Limit.concurrency(1), true);
		this.engine.awaitState(enqueue(process), JobState.SUCCEEDED);
		assertThat(this.claimed).hasValue(1);
	}

	@Test
	void aCommitWhoseAnswerIsLostLosesNoJob() {
		InterceptedCommits breaking = new InterceptedCommits(this.application);
		TestProcess process = idle(process().application(breaking).concurrency(1));
		breaking.afterCommit = () -> {
			throw new SQLException("The connection was lost", "08006");
		};
		TransactionTemplate broken = Transactions.template(breaking);
		assertThatExceptionOfType(TransactionSystemException.class)
			.isThrownBy(() -> broken.executeWithoutResult((status) -> enqueue(process)));
		breaking.afterCommit = InterceptedCommits.NOTHING;
		this.engine.awaitAllOver();
		assertThat(this.runs.values()).containsExactly(1);
		process.awaitIdleSlot("default", "test");
	}

	@Test
	void aProcessThatDiesBetweenCommitAndStartLosesNoJob() throws InterruptedException {
		InterceptedCommits commits = new InterceptedCommits(this.application);
		TestProcess process = idle(process().application(commits));
		CountDownLatch committed = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		commits.afterCommit = () -> {
			committed.countDown();
			end.await();
		};
		TransactionTemplate held = Transactions.template(commits);
		Thread producer = new Thread(() -> held.executeWithoutResult((status) -> enqueue(process)));
		producer.start();
		committed.await();
		assertThat(this.engine.leased()).isEqualTo(1);
		process.loseDatabase();
		this.engine.process().handle("test", (job, context) -> ran(context.id())).withMaintenance().startAndListen();
		this.engine.awaitAllOver();
		assertThat(this.runs.values()).containsExactly(1);
		assertThat(this.engine.number("select attempt from rowqueue.job_finished")).as("attempts").isEqualTo(1);
		end.countDown();
		producer.join();
	}

	@Test
	void aWorkerThatIsGivenUpBeforeTheCommitLosesNoJob() {
		TestProcess process = idle(process());
		this.engine.process().handle("test", (job, context) -> ran(context.id())).withMaintenance().startAndListen();
		long job = this.transaction.execute((status) -> {
			long id = enqueue(process);
			this.engine.jdbc()
				.update("update rowqueue.worker set dead_at = clock_timestamp() where name = (select min(name) from"
						+ " rowqueue.worker) and started_at = (select min(started_at) from rowqueue.worker)");
			return id;
		});
		assertThat(this.engine.awaitState(job, JobState.SUCCEEDED).attempt()).isEqualTo(1);
		assertThat(this.runs).containsOnly(Map.entry(job, 1));
	}

	@Test
	void aProcessThatStopsBeforeTheCommitLosesNoJob() {
		TestProcess process = idle(process());
		this.engine.process().handle("test", (job, context) -> ran(context.id())).withMaintenance().startAndListen();
		long job = this.transaction.execute((status) -> {
			long id = enqueue(process);
			process.stop();
			return id;
		});
		assertThat(this.engine.awaitState(job, JobState.SUCCEEDED).attempt()).isEqualTo(1);
		assertThat(this.runs).containsOnly(Map.entry(job, 1));
	}

	@Test
	void aFailedAttemptIsRetriedAsUsual() {
		CountDownLatch first = new CountDownLatch(1);
		TestProcess process = idle(process().handle("failing", (job, context) -> {
			if (first.getCount() > 0) {
				first.countDown();
				throw new IllegalStateException("once");
			}
		}));
		long job = process.queue().enqueue(JobRequest.of("failing", "payload")).id();
		assertThat(this.engine.awaitState(job, JobState.SUCCEEDED).attempt()).isEqualTo(2);
		assertThat(this.engine.failures(job)).hasSize(1);
	}

	@Test
	void rowsOfClaimsDoNotPileUp() {
		TestProcess process = idle(process());
		for (int i = 0; i < 50; i++) {
			enqueue(process);
		}
		this.engine.awaitAllOver();
		await().atMost(Engine.PATIENCE).untilAsserted(() -> assertThat(this.engine.count("claim")).isZero());
	}

	private TestProcess.Builder process() {
		return this.engine.process()
			.application(this.application)
			.directStart()
			.pollInterval(Duration.ofMinutes(5))
			.hooks(TestHooks.of(List.of(), JobListener.NONE, new StoreListener() {

				@Override
				public void claimed(int jobs, Duration took) {
					DirectStartTests.this.claimed.addAndGet(jobs);
				}

			}))
			.handle("test", (job, context) -> ran(context.id()));
	}

	private static TestProcess idle(TestProcess.Builder builder) {
		TestProcess process = builder.startAndListen();
		process.awaitIdleSlot("default", "test");
		return process;
	}

	/**
	 * Enqueues a job that ends without a claim. Where the machine stood still for so long
	 * that the reservation was late, the job was claimed, and the next one shows it.
	 */
	private long directly(TestProcess process, LongSupplier enqueue) {
		while (true) {
			process.awaitIdleSlot("default", "test");
			this.claimed.set(0);
			long begin = System.nanoTime();
			long job = enqueue.getAsLong();
			boolean late = isLate(begin);
			this.engine.awaitState(job, JobState.SUCCEEDED);
			if (!late) {
				assertThat(this.claimed).as("jobs that claims brought").hasValue(0);
				return job;
			}
		}
	}

	private static boolean isLate(long begin) {
		return System.nanoTime() - begin >= DirectStarts.MAX_TRANSACTION.toNanos();
	}

	private long enqueue(TestProcess process) {
		return process.queue().enqueue(JobRequest.of("test", "payload")).id();
	}

	private void ran(long id) {
		this.runs.merge(id, 1, Integer::sum);
	}

	/** Does something after each commit, before its answer reaches the caller. */
	private static final class InterceptedCommits extends DelegatingDataSource {

		private static final Action NOTHING = () -> {
		};

		private volatile Action afterCommit = NOTHING;

		InterceptedCommits(HikariDataSource target) {
			super(target);
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			return Proxies.of(Connection.class, (proxy, method, arguments) -> {
				Object result = Proxies.call(connection, method, arguments);
				if (method.getName().equals("commit")) {
					this.afterCommit.run();
				}
				return result;
			});
		}

		@FunctionalInterface
		private interface Action {

			void run() throws SQLException, InterruptedException;

		}

	}

}
