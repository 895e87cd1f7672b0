package io.rowqueue.engine.step;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.CancelJobException;
import io.rowqueue.HandlerOptions;
import io.rowqueue.JobContext;
import io.rowqueue.JobState;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.engine.recovery.RecoveryStore;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.Transactions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What remains of a step, in each kind of transaction and after each end of it. */
@Execution(ExecutionMode.CONCURRENT)
class StepTransactionTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final HikariDataSource application = this.engine.pool(8);

	private final HikariDataSource other = this.engine.pool(8);

	private final JdbcTemplate jdbc = new JdbcTemplate(this.application);

	private final AtomicInteger works = new AtomicInteger();

	private final CountDownLatch repeated = new CountDownLatch(1);

	private final CountDownLatch testIsOver = new CountDownLatch(1);

	@BeforeEach
	void createTheApplicationsTable() {
		this.engine.jdbc().execute("drop table if exists effect");
		this.engine.jdbc().execute("create table effect (job_id bigint not null)");
	}

	@AfterEach
	void endTheTest() {
		this.testIsOver.countDown();
	}

	@ParameterizedTest
	@EnumSource
	void anEffectExistsOnceAndAgreesWithItsRecordHoweverTheAttemptEnds(Transaction transaction) {
		TestProcess.Builder process = this.engine.process()
			.application(this.application)
			.concurrency(End.values().length)
			.withMaintenance()
			.retry((attempt, error) -> Duration.ZERO);
		for (End end : End.values()) {
			HandlerOptions options = HandlerOptions.NONE.transactional(transaction == Transaction.HANDLER);
			process.handle(end.name(), options, (payload, context) -> run(transaction, end, context));
		}
		process.startAndListen();
		for (End end : End.values()) {
			this.works.set(0);
			check(transaction, end);
		}
	}

	private void check(Transaction transaction, End end) {
		long job = this.engine.enqueue(end.name());
		if (end == End.SIGNAL) {
			this.engine.awaitState(job, JobState.SCHEDULED);
			this.engine.queue().signal(job, "go on", null);
		}
		if (end == End.CANCEL) {
			this.engine.awaitState(job, JobState.CANCELLED);
			assertThat(effects(job)).as("%s", end).isEqualTo(this.engine.count("job_step where job_id = ?", job));
			return;
		}
		this.engine.awaitState(job, JobState.SUCCEEDED);
		await("attempts of lost leases have ended").until(() -> this.engine.number(
				"select count(*) from pg_stat_activity where datname = current_database() and state like 'idle in%'") == 0);
		if (transaction == Transaction.OTHER && end == End.LEASE_LOST) {
			assertThat(effects(job)).as("%s: at least once", end).isBetween(1L, 2L);
			return;
		}
		assertThat(effects(job)).as("%s", end).isOne();
	}

	private void run(Transaction transaction, End end, JobContext context) throws Exception {
		switch (transaction) {
			case NONE, HANDLER -> {
				step(context, this.jdbc);
				end(end, context);
			}
			case CALLER -> in(this.application, TransactionDefinition.PROPAGATION_REQUIRED, false, () -> {
				step(context, this.jdbc);
				return end(end, context);
			});
			case INNER -> in(this.application, TransactionDefinition.PROPAGATION_REQUIRED, false, () -> {
				in(this.application, TransactionDefinition.PROPAGATION_REQUIRES_NEW, false,
						() -> step(context, this.jdbc));
				return end(end, context);
			});
			case OTHER -> in(this.other, TransactionDefinition.PROPAGATION_REQUIRED, false, () -> {
				step(context, new JdbcTemplate(this.other));
				return end(end, context);
			});
			case READ_ONLY -> in(this.application, TransactionDefinition.PROPAGATION_REQUIRED, true, () -> {
				step(context, this.engine.jdbc());
				return end(end, context);
			});
		}
	}

	private boolean step(JobContext context, JdbcTemplate database) throws Exception {
		context.step("book", () -> {
			database.update("insert into effect values (?)", context.id());
			if (this.works.incrementAndGet() == 2) {
				this.repeated.countDown();
			}
		});
		if (context.leaseToken() > 1) {
			this.repeated.countDown();
		}
		return true;
	}

	private boolean end(End end, JobContext context) throws Exception {
		if (end == End.CANCEL) {
			throw new CancelJobException("as planned");
		}
		if (end == End.SLEEP) {
			context.sleep("a moment", Duration.ofMillis(1));
		}
		if (end == End.SIGNAL) {
			context.awaitSignal("go on", Duration.ofDays(1));
		}
		if (context.leaseToken() > 1) {
			return true;
		}
		switch (end) {
			case FAILURE -> throw new IllegalStateException("as planned");
			case SNOOZE -> throw SnoozeJobException.by(Duration.ZERO);
			case LEASE_LOST -> {
				loseLease(context);
				Async.awaitDeaf(this.repeated);
			}
			case KILLED -> {
				this.engine.jdbc()
					.query("select pg_terminate_backend(pid, 10000) from pg_stat_activity"
							+ " where datname = current_database() and state = 'idle in transaction'", (row) -> {
							});
				loseLease(context);
				Async.awaitDeaf(this.testIsOver);
			}
			default -> {
			}
		}
		return true;
	}

	private void loseLease(JobContext context) {
		this.engine.declareWorkersDead();
		RecoveryStore others = this.engine.recovery();
		await().until(() -> {
			others.recover(10, 1000);
			return this.engine.count("job where id = ? and lease = ? and worker_id is not null", context.id(),
					context.leaseToken()) == 0;
		});
	}

	private static boolean in(HikariDataSource database, int propagation, boolean readOnly, Callable<Boolean> work) {
		TransactionTemplate template = Transactions.template(database);
		template.setPropagationBehavior(propagation);
		template.setReadOnly(readOnly);
		return Boolean.TRUE.equals(template.execute((status) -> {
			try {
				return work.call();
			}
			catch (RuntimeException ex) {
				throw ex;
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}));
	}

	private long effects(long job) {
		return this.engine.number("select count(*) from effect where job_id = ?", job);
	}

	/** What a step is called in. */
	enum Transaction {

		/** No transaction. */
		NONE,

		/** One of the queue's database, around all of the handler. */
		CALLER,

		/** That of a transactional handler. */
		HANDLER,

		/** A new one of the queue's database, within another one. */
		INNER,

		/** One of another database. */
		OTHER,

		/** A read-only one of the queue's database: the effect is not part of it. */
		READ_ONLY

	}

	/** What happens after the step. */
	enum End {

		SUCCESS, FAILURE, SLEEP, SIGNAL, SNOOZE, CANCEL,

		/** The lease is lost, and the attempt commits nevertheless. */
		LEASE_LOST,

		/** The process dies: its sessions end, and the lease is taken over. */
		KILLED

	}

}
