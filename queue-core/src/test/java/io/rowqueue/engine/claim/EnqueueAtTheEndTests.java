package io.rowqueue.engine.claim;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.Job;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.control.CancelResult;
import io.rowqueue.engine.control.ChangeScope;
import io.rowqueue.engine.control.DefaultJobControl;
import io.rowqueue.engine.control.PayloadChange;
import io.rowqueue.engine.database.JoinedTransaction;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.Flow;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Proxies;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.Transactions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What is enqueued at the end of a transaction: an enqueue that returns has stored its
 * jobs, or does so with the transaction, and each reserved slot is released.
 */
@Execution(ExecutionMode.CONCURRENT)
class EnqueueAtTheEndTests {

	private static final Map<String, BiConsumer<JobQueue, JobRequest>> ENQUEUES = enqueues();

	@AutoClose
	private final Engine engine = new Engine();

	private final Commits application = new Commits(this.engine.pool(4));

	private final TransactionTemplate transaction = Transactions.template(this.application);

	private final Map<Long, Integer> runs = new ConcurrentHashMap<>();

	private static Map<String, BiConsumer<JobQueue, JobRequest>> enqueues() {
		Map<String, BiConsumer<JobQueue, JobRequest>> all = new LinkedHashMap<>();
		all.put("plain", JobQueue::enqueue);
		all.put("delayed", (queue, request) -> queue.enqueue(request.delay(Duration.ofHours(1))));
		all.put("keyed", (queue, request) -> queue.enqueue(request.uniqueKey(request.queue())));
		all.put("limited", (queue, request) -> queue.enqueue(request.limitKey("limit")));
		all.put("bulk", (queue, request) -> queue.enqueueAll(List.of(request)));
		all.put("flow", (queue, request) -> queue.enqueue(Flow.named("flow").job("a", request)));
		all.put("batch", (queue, request) -> queue.enqueueBatch(Batch.named("batch"), Stream.of(request)));
		return all;
	}

	static Stream<Arguments> ends() {
		return Stream.of(Moment.values())
			.flatMap((moment) -> Stream.of(Fault.values()).map((fault) -> Arguments.of(moment, fault)));
	}

	@ParameterizedTest
	@MethodSource("ends")
	void anEnqueueThatReturnsHasStoredItsJob(Moment moment, Fault fault) {
		TestProcess process = idle(process().concurrency(1));
		List<String> promised = new ArrayList<>();
		ENQUEUES.forEach((kind, enqueue) -> {
			Runnable call = () -> {
				Fault.Commit before = this.application.next;
				this.application.next = (before != null) ? before : commit(fault);
				enqueue.accept(process.queue(), JobRequest.of("test", "payload").queue(kind));
				if (moment.commitsAlone) {
					promised.add(kind);
				}
			};
			try {
				this.transaction.executeWithoutResult((status) -> {
					new JdbcTemplate(this.application).queryForObject("select 1", Integer.class);
					moment.enqueue(this, call);
					if (moment == Moment.AFTER_ROLLBACK) {
						status.setRollbackOnly();
					}
				});
				if (!moment.commitsAlone) {
					promised.add(kind);
				}
			}
			catch (RuntimeException ex) {
				assertThat(fault).as("cause of " + ex).isNotEqualTo(Fault.NONE);
			}
			this.application.next = null;
		});
		if (fault == Fault.NONE) {
			assertThat(promised).containsExactlyElementsOf(ENQUEUES.keySet());
		}
		assertThat(stored()).containsAll(promised);
		assertThat(process.reservations()).isZero();
	}

	private Fault.Commit commit(Fault fault) {
		return (connection) -> fault.commit(connection, this.engine);
	}

	private List<String> stored() {
		return this.engine.jdbc()
			.queryForList("select queue from rowqueue.job union all select queue from rowqueue.job_finished",
					String.class);
	}

	/**
	 * The inner transaction is not the one that was committed, though the same class is
	 * notified.
	 */
	@Test
	void anEnqueueInANewTransactionAfterTheCommitIsRolledBackWithIt() {
		TestProcess process = idle(process());
		TransactionTemplate inner = new TransactionTemplate(this.transaction.getTransactionManager());
		inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		AtomicInteger enqueued = new AtomicInteger();
		this.transaction.executeWithoutResult((outer) -> afterCommit(() -> inner.executeWithoutResult((status) -> {
			process.queue().enqueue(JobRequest.of("test", "payload"));
			enqueued.incrementAndGet();
			status.setRollbackOnly();
		})));
		assertThat(enqueued).hasValue(1);
		assertThat(stored()).isEmpty();
	}

	@Test
	void aLostAnswerAfterTheCommitLosesNoJob() {
		TestProcess process = idle(process().concurrency(1));
		try {
			this.transaction.executeWithoutResult((status) -> afterCommit(() -> {
				this.application.next = commit(Fault.ANSWER_LOST);
				process.queue().enqueue(JobRequest.of("test", "payload"));
			}));
		}
		catch (RuntimeException ex) {
			assertThat(ex).hasRootCauseInstanceOf(SQLException.class);
		}
		this.engine.awaitAllOver();
		assertThat(this.runs.values()).containsExactly(1);
		assertThat(process.reservations()).isZero();
	}

	@Test
	void aSynchronizationThatWaitsForTheJobDoesNotDelayIt() {
		TestProcess process = idle(process());
		AtomicLong id = new AtomicLong();
		List<Optional<Job>> awaited = new ArrayList<>();
		this.transaction.executeWithoutResult((status) -> {
			afterCommit(() -> {
				try {
					awaited.add(process.queue().await(id.get(), Engine.PATIENCE));
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			});
			id.set(process.queue().enqueue(JobRequest.of("test", "payload")).id());
		});
		assertThat(awaited.get(0)).get().extracting(Job::state).isEqualTo(JobState.SUCCEEDED);
	}

	@Test
	void aJobThatItsOwnTransactionCancelsOrPostponesDoesNotRun() {
		TestProcess process = idle(process());
		DefaultJobControl control = control(process);
		List<Long> ids = new ArrayList<>();
		this.transaction.executeWithoutResult((status) -> {
			ids.add(process.queue().enqueue(JobRequest.of("test", "payload")).id());
			assertThat(control.cancel(ids.get(0))).isEqualTo(CancelResult.CANCELLED);
			ids.add(process.queue().enqueue(JobRequest.of("test", "payload")).id());
			assertThat(control.reschedule(ids.get(1), Duration.ofHours(1))).isTrue();
		});
		long last = process.queue().enqueue(JobRequest.of("test", "payload")).id();
		this.engine.awaitState(last, JobState.SUCCEEDED);
		assertThat(this.runs).containsOnlyKeys(last);
		assertThat(this.engine.job(ids.get(0)).state()).isEqualTo(JobState.CANCELLED);
		assertThat(this.engine.job(ids.get(1)).state()).isEqualTo(JobState.SCHEDULED);
		assertThat(this.engine.leased()).isZero();
	}

	@Test
	void aPauseOfTheSameTransactionHoldsTheJobThatItHasEnqueued() {
		TestProcess process = idle(process());
		DefaultJobControl control = control(process);
		long paused = this.transaction.execute((status) -> {
			long id = process.queue().enqueue(JobRequest.of("test", "payload")).id();
			control.pauseType("test", null);
			return id;
		});
		assertThat(this.engine.job(paused).state()).isEqualTo(JobState.QUEUED);
		control.resumeType("test");
		this.engine.awaitState(paused, JobState.SUCCEEDED);
	}

	/** Nothing commits what joins the transaction then. */
	@Test
	void aChangeAfterTheCommitIsCommitted() {
		TestProcess process = idle(process());
		DefaultJobControl control = control(process);
		this.transaction.executeWithoutResult((status) -> afterCommit(() -> {
			control.pauseType("other", null);
			assertThat(this.engine.count("pause where name = 'other'")).isOne();
		}));
		assertThat(this.engine.count("pause where name = 'other'")).isOne();
	}

	/** As a transaction that is left open on its thread. */
	@Test
	void aReservationOfATransactionThatDoesNotEndKeepsNoSlotForLong() throws InterruptedException {
		TestProcess process = idle(process().concurrency(1));
		CountDownLatch enqueued = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		Thread producer = new Thread(() -> this.transaction.executeWithoutResult((status) -> {
			process.queue().enqueue(JobRequest.of("test", "payload"));
			enqueued.countDown();
			await().until(() -> end.getCount() == 0);
		}));
		producer.start();
		enqueued.await();
		process.awaitIdleSlot("default", "test");
		end.countDown();
		producer.join();
		this.engine.awaitAllOver();
	}

	private DefaultJobControl control(TestProcess process) {
		QueueDatabases databases = new QueueDatabases(
				new QueueDatabase(new JdbcTemplate(this.application), SchemaName.DEFAULT), this.engine.queueDatabase());
		return new DefaultJobControl(databases, ChangeScope.joining(databases, new JoinedTransaction(this.application)),
				process.wakeUps(), PayloadChange.REFUSED);
	}

	private TestProcess.Builder process() {
		return this.engine.process()
			.application(this.application)
			.directStart()
			.withMaintenance()
			.handle("test", (job, context) -> this.runs.merge(context.id(), 1, Integer::sum));
	}

	private static TestProcess idle(TestProcess.Builder builder) {
		TestProcess process = builder.startAndListen();
		process.awaitIdleSlot("default", "test");
		return process;
	}

	private static void afterCommit(Runnable work) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				work.run();
			}

		});
	}

	/** When the transaction enqueues. */
	enum Moment {

		IN_THE_TRANSACTION(false), BEFORE_COMMIT(false), BEFORE_COMPLETION(false), AFTER_COMMIT(true),
		AFTER_COMPLETION(true), AFTER_ROLLBACK(true), IN_A_NEW_TRANSACTION_AFTER_COMMIT(false);

		private final boolean commitsAlone;

		Moment(boolean commitsAlone) {
			this.commitsAlone = commitsAlone;
		}

		void enqueue(EnqueueAtTheEndTests test, Runnable call) {
			if (this == IN_THE_TRANSACTION) {
				call.run();
				return;
			}
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void beforeCommit(boolean readOnly) {
					call(BEFORE_COMMIT);
				}

				@Override
				public void beforeCompletion() {
					call(BEFORE_COMPLETION);
				}

				@Override
				public void afterCommit() {
					call(AFTER_COMMIT);
					if (Moment.this == IN_A_NEW_TRANSACTION_AFTER_COMMIT) {
						test.newTransaction(call);
					}
				}

				@Override
				public void afterCompletion(int status) {
					call((status == STATUS_COMMITTED) ? AFTER_COMPLETION : AFTER_ROLLBACK);
				}

				private void call(Moment now) {
					if (now == Moment.this) {
						call.run();
					}
				}

			});
		}

	}

	private void newTransaction(Runnable call) {
		TransactionTemplate inner = new TransactionTemplate(this.transaction.getTransactionManager());
		inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		inner.executeWithoutResult((status) -> call.run());
	}

	/** What happens to the commit that stores the job. */
	enum Fault {

		NONE, FAILS, ANSWER_LOST, SESSION_ENDS;

		void commit(Connection connection, Engine engine) throws SQLException {
			if (this == SESSION_ENDS) {
				try (var statement = connection.createStatement();
						var row = statement.executeQuery("select pg_backend_pid()")) {
					row.next();
					int pid = row.getInt(1);
					engine.jdbc().query("select pg_terminate_backend(?)", (terminated) -> {
					}, pid);
				}
			}
			if (this == FAILS) {
				connection.rollback();
				throw new SQLException("The commit failed", "40001");
			}
			connection.commit();
			if (this == ANSWER_LOST) {
				throw new SQLException("The connection was lost", "08006");
			}
		}

		@FunctionalInterface
		interface Commit {

			void on(Connection connection) throws SQLException;

		}

	}

	/** Replaces the next commit. */
	private static final class Commits extends DelegatingDataSource {

		private volatile Fault.Commit next;

		Commits(HikariDataSource target) {
			super(target);
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			return Proxies.of(Connection.class, (proxy, method, arguments) -> {
				Fault.Commit commit = this.next;
				if (commit == null || !method.getName().equals("commit")) {
					return Proxies.call(connection, method, arguments);
				}
				this.next = null;
				commit.on(connection);
				return null;
			});
		}

	}

}
