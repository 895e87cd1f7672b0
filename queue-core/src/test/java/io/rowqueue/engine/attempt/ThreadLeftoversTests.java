package io.rowqueue.engine.attempt;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;

import ch.qos.logback.classic.Level;
import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.JobHandlers.Handler;
import io.rowqueue.JobContext;
import io.rowqueue.JobState;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.support.ThreadState;
import io.rowqueue.listen.AttemptEnd;
import io.rowqueue.listen.JobListener;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.TestHooks;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.Transactions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What a handler leaves on the thread of its slot, which runs other jobs after it. */
class ThreadLeftoversTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final HikariDataSource pool = this.engine.pool(4);

	private final JdbcTemplate application = new JdbcTemplate(this.pool);

	private final PlatformTransactionManager transactions = Transactions.manager(this.pool);

	@BeforeEach
	void createTheApplicationsTable() {
		this.engine.jdbc().execute("drop table if exists effect");
		this.engine.jdbc().execute("create table effect (what text not null)");
	}

	/**
	 * One slot; a second type writes in the transaction of its job, and a third one
	 * without.
	 */
	private TestProcess.Builder process() {
		return this.engine.process()
			.application(this.pool)
			.concurrency(1)
			.maxAttempts(1)
			.handle("writes", (payload, context) -> write("writes"))
			.handleInTransaction("transactional", (payload, context) -> write("transactional"));
	}

	private void write(String what) {
		this.application.update("insert into effect values (?)", what);
	}

	private List<String> effects() {
		return this.engine.jdbc().queryForList("select what from effect order by what", String.class);
	}

	private void begin(int propagation) {
		this.transactions.getTransaction(new DefaultTransactionDefinition(propagation));
	}

	/**
	 * The attempt fails with that reason, and later jobs of the slot keep what they
	 * write.
	 */
	private void leaves(Handler<String> handler, boolean transactional, String reason) {
		TestProcess.Builder process = process();
		(transactional ? process.handleInTransaction("leaves", handler) : process.handle("leaves", handler)).start();
		long id = this.engine.enqueue("leaves");
		await().until(() -> this.engine.job(id).state() == JobState.FAILED
				|| this.engine.job(id).state() == JobState.SUCCEEDED);
		this.engine.awaitState(this.engine.enqueue("writes"), JobState.SUCCEEDED);
		this.engine.awaitState(this.engine.enqueue("transactional"), JobState.SUCCEEDED);
		assertThat(effects()).containsExactly("transactional", "writes");
		await("its connection was returned").until(() -> this.pool.getHikariPoolMXBean().getActiveConnections() == 0);
		assertThat(this.engine.job(id).state()).isEqualTo(JobState.FAILED);
		assertThat(this.engine.job(id).lastError()).contains("'leaves'")
			.contains(reason)
			.contains("TransactionTemplate");
	}

	@Test
	void aTransactionThatIsLeftOpenFailsTheAttemptAndIsRolledBack() {
		leaves((payload, context) -> {
			begin(TransactionDefinition.PROPAGATION_REQUIRED);
			write("lost");
		}, false, "left an open transaction");
	}

	@Test
	void aSecondTransactionThatATransactionalHandlerLeavesOpenFailsTheAttempt() {
		leaves((payload, context) -> {
			write("rolled back");
			begin(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
			write("lost");
		}, true, "left an open transaction");
	}

	@Test
	void aSynchronizationThatIsLeftActiveFailsTheAttemptAndIsCompleted() {
		AtomicReference<Integer> completed = new AtomicReference<>();
		leaves((payload, context) -> {
			TransactionSynchronizationManager.initSynchronization();
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
				@Override
				public void afterCompletion(int status) {
					completed.set(status);
				}
			});
		}, false, "left an active transaction synchronization");
		assertThat(completed).hasValue(TransactionSynchronization.STATUS_ROLLED_BACK);
	}

	@Test
	void aResourceThatIsLeftBoundFailsTheAttempt() {
		leaves((payload, context) -> TransactionSynchronizationManager.bindResource("key", "value"), false,
				"left resources that are bound to it (String)");
	}

	@Test
	void aHandlerThatThrowsFailsForItsOwnReasonAndLeavesNothing() {
		process().handle("throws", (payload, context) -> {
			begin(TransactionDefinition.PROPAGATION_REQUIRED);
			throw new IllegalStateException("as planned");
		}).start();
		long id = this.engine.enqueue("throws");
		this.engine.awaitState(id, JobState.FAILED);
		assertThat(this.engine.job(id).lastError()).contains("as planned");
		this.engine.awaitState(this.engine.enqueue("writes"), JobState.SUCCEEDED);
		assertThat(effects()).containsExactly("writes");
	}

	@Test
	void theThreadGetsBackItsNameItsPriorityItsClassLoaderAndItsLocale() {
		AtomicReference<String> first = new AtomicReference<>();
		AtomicReference<String> second = new AtomicReference<>();
		process().handle("changes", (payload, context) -> {
			Thread thread = Thread.currentThread();
			first.set(describe());
			thread.setName("mine");
			thread.setPriority(Thread.MAX_PRIORITY);
			thread.setContextClassLoader(new ClassLoader(null) {
			});
			LocaleContextHolder.setLocale(Locale.forLanguageTag("fa"));
			thread.interrupt();
		}).handle("reads", (payload, context) -> second.set(describe())).start();
		this.engine.awaitState(this.engine.enqueue("changes"), JobState.SUCCEEDED);
		this.engine.awaitState(this.engine.enqueue("reads"), JobState.SUCCEEDED);
		assertThat(second.get()).isEqualTo(first.get());
	}

	private static String describe() {
		Thread thread = Thread.currentThread();
		return "%s %d %s %s %s".formatted(thread.getName(), thread.getPriority(), thread.getContextClassLoader(),
				LocaleContextHolder.getLocaleContext(), thread.isInterrupted());
	}

	@Test
	void aTransactionThatAListenerLeavesOpenIsRolledBackBeforeTheHandlerIsCalled() {
		JobListener listener = new JobListener() {
			@Override
			public void started(JobContext job, Duration sinceDue) {
				begin(TransactionDefinition.PROPAGATION_REQUIRED);
			}

			@Override
			public void ended(JobContext job, AttemptEnd end) {
				begin(TransactionDefinition.PROPAGATION_REQUIRED);
			}
		};
		try (Log log = new Log(ThreadState.class)) {
			process().hooks(TestHooks.of(List.of(), listener, StoreListener.NONE)).start();
			this.engine.awaitState(this.engine.enqueue("writes"), JobState.SUCCEEDED);
			this.engine.awaitState(this.engine.enqueue("transactional"), JobState.SUCCEEDED);
			assertThat(effects()).containsExactly("transactional", "writes");
			await().until(() -> this.pool.getHikariPoolMXBean().getActiveConnections() == 0);
			assertThat(log.lines(Level.ERROR)).isNotEmpty()
				.allMatch((line) -> line.contains("has left an open transaction on the thread"));
		}
	}

}
