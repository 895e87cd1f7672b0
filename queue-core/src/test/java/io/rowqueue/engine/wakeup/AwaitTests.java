package io.rowqueue.engine.wakeup;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.HandlerOptions;
import io.rowqueue.Job;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.Transactions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Waiting for a job to be over. */
class AwaitTests {

	private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

	@AutoClose
	private final Engine engine = new Engine();

	private final HikariDataSource pool = this.engine.pool(4);

	@Test
	void awaitReturnsTheJobThatHasSucceeded() throws Exception {
		this.engine.process()
			.register((handlers) -> handlers.addReturning("test", String.class, HandlerOptions.NONE,
					(payload, context) -> 42))
			.start();
		Job job = awaitEnd(this.engine.enqueue("test"));
		assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
		assertThat(job.result()).isEqualTo("42");
	}

	@Test
	void awaitWaitsForTheLastAttempt() throws Exception {
		this.engine.process().maxAttempts(2).handle("test", (payload, context) -> {
			throw new IllegalStateException("as planned");
		}).start();
		Job job = awaitEnd(this.engine.enqueue("test"));
		assertThat(job.state()).isEqualTo(JobState.FAILED);
		assertThat(job.attempt()).isEqualTo(2);
	}

	@Test
	void awaitReturnsTheJobThatWasCancelled() throws Exception {
		long id = this.engine.enqueue("test");
		this.engine.control().cancel(id);
		assertThat(awaitEnd(id).state()).isEqualTo(JobState.CANCELLED);
	}

	@Test
	void awaitIsNotifiedOfJobsOfItsOwnProcess() throws Exception {
		TestProcess process = this.engine.process().application(this.pool).handle("plain", (payload, context) -> {
		}).handleInTransaction("transactional", (payload, context) -> {
		}).start();
		for (String type : new String[] { "plain", "transactional" }) {
			long id = process.queue().enqueue(type, null).id();
			assertThat(process.queue().await(id, FOR_EVER).orElseThrow().state()).isEqualTo(JobState.SUCCEEDED);
		}
	}

	@Test
	void awaitReturnsTheJobAsItIsWhenTheTimeHasPassed() throws Exception {
		long id = this.engine.enqueue(JobRequest.of("test"));
		assertThat(this.engine.queue().await(id, Duration.ofMillis(30)).orElseThrow().state())
			.isEqualTo(JobState.QUEUED);
		assertThat(this.engine.queue().await(id, Duration.ofSeconds(-1))).isPresent();
	}

	@Test
	void anUnknownJobIsEmpty() throws Exception {
		assertThat(this.engine.queue().await(-1, FOR_EVER)).isEmpty();
	}

	@Test
	void awaitIsRejectedInTheTransactionThatEnqueuedTheJob() {
		TestProcess process = this.engine.process().application(this.pool).start();
		transaction().executeWithoutResult((status) -> {
			long id = process.queue().enqueue("test", null).id();
			assertThatExceptionOfType(JobQueueException.class)
				.isThrownBy(() -> process.queue().await(id, Duration.ofDays(1)))
				.withMessageContaining("Job " + id + " was enqueued by the current transaction");
		});
	}

	@Test
	void awaitSeesTheEndOfAnEarlierJobInATransactionOfAnyIsolation() {
		TestProcess process = this.engine.process().application(this.pool).handle("test", (payload, context) -> {
		}).start();
		TransactionTemplate transaction = transaction();
		transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		long id = process.queue().enqueue(JobRequest.of("test").delay(Duration.ofHours(1))).id();
		Optional<Job> job = transaction.execute((status) -> {
			assertThat(process.queue().find(id)).isPresent();
			this.engine.control().reschedule(id, Duration.ZERO);
			try {
				return process.queue().await(id, FOR_EVER);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
		assertThat(job.orElseThrow().state()).isEqualTo(JobState.SUCCEEDED);
	}

	@Test
	void awaitCanBeInterrupted() throws Exception {
		long id = this.engine.enqueue("test");
		AtomicReference<Exception> thrown = new AtomicReference<>();
		CountDownLatch begun = new CountDownLatch(1);
		Thread thread = new Thread(() -> {
			begun.countDown();
			try {
				this.engine.queue().await(id, FOR_EVER);
			}
			catch (InterruptedException | RuntimeException ex) {
				thrown.set(ex);
			}
		});
		thread.start();
		begun.await();
		await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
		thread.interrupt();
		thread.join();
		assertThat(thrown.get()).isInstanceOf(Exception.class);
	}

	private Job awaitEnd(long id) throws InterruptedException {
		return this.engine.queue().await(id, FOR_EVER).orElseThrow();
	}

	private TransactionTemplate transaction() {
		return Transactions.template(this.pool);
	}

}
