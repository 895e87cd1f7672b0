package io.rowqueue.engine.flow;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.DuplicatePolicy;
import io.rowqueue.FailJobException;
import io.rowqueue.JobContext;
import io.rowqueue.JobQueue;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.BatchProgress;
import io.rowqueue.postgres.Dose;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Seed;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.Transactions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/** Batches: what they count, and that each finishes once. */
@Execution(ExecutionMode.CONCURRENT)
class BatchTests {

	private static final int MANY = Dose.of(3_000, 100_000);

	private static final Batch WITH_CALLBACKS = Batch.named("batch")
		.onSuccess(JobRequest.of("callback", "success"))
		.onFailure(JobRequest.of("callback", "failure"))
		.onFinish(JobRequest.of("callback", "finish"));

	@AutoClose
	private final Engine engine = new Engine();

	private final JobQueue queue = this.engine.queue();

	@BeforeEach
	void createTable() {
		this.engine.jdbc().execute("drop table if exists callback");
		this.engine.jdbc().execute("create table callback (event text)");
	}

	@Test
	void theSuccessCallbackRunsOnceWhenAllJobsHaveSucceeded() {
		long batch = this.queue.enqueueBatch(WITH_CALLBACKS, jobs(2500));
		process().start();
		BatchProgress over = awaitOver(batch);
		assertThat(over).extracting(BatchProgress::total, BatchProgress::succeeded, BatchProgress::pending)
			.containsExactly(2500L, 2500L, 0L);
		awaitCallbacks("finish", "success");
		assertThat(this.engine
			.count("job_finished where state = 'cancelled'" + " and last_error like 'Batch % ended otherwise'"))
			.isEqualTo(1);
	}

	@Test
	void theFailureCallbackRunsInsteadWhenAJobHasFailed() {
		long batch = this.queue.enqueueBatch(WITH_CALLBACKS,
				Stream.concat(jobs(3), Stream.of(JobRequest.of("broken"))));
		process().start();
		assertThat(awaitOver(batch).failed()).isEqualTo(1);
		awaitCallbacks("failure", "finish");
	}

	@Test
	void aRetryAfterTheEndChangesTheNumbersAndNothingElse() {
		long batch = this.queue.enqueueBatch(WITH_CALLBACKS, Stream.of(JobRequest.of("broken")));
		TestProcess process = process().start();
		awaitOver(batch);
		awaitCallbacks("failure", "finish");
		process.stop();
		this.engine.control().retryAll(null, null);
		assertThat(progress(batch)).extracting(BatchProgress::failed, BatchProgress::pending).containsExactly(0L, 1L);
		this.engine.process().withMaintenance().handle("broken", (payload, context) -> {
		}).start();
		await().until(() -> progress(batch).succeeded() == 1);
		awaitCallbacks("failure", "finish");
	}

	@Test
	void aJobThatIsTriedAgainBeforeTheEndCountsOnce() {
		AtomicBoolean failed = new AtomicBoolean();
		long batch = this.queue.enqueueBatch(Batch.named("batch"), Stream.of(JobRequest.of("flaky").maxAttempts(1)));
		this.queue.addToBatch(batch, jobs(1).map((job) -> job.queue("later")));
		this.engine.process()
			.withMaintenance()
			.concurrency(0)
			.concurrency("default", 1)
			.handle("flaky", (payload, context) -> {
				if (failed.compareAndSet(false, true)) {
					throw new IllegalStateException("as planned");
				}
			})
			.start();
		await().until(() -> progress(batch).failed() == 1);
		this.engine.control().retryAll(null, null);
		await().until(() -> progress(batch).succeeded() == 1);
		assertThat(progress(batch)).extracting(BatchProgress::total, BatchProgress::failed, BatchProgress::isFinished)
			.containsExactly(2L, 0L, false);
		process().start();
		assertThat(awaitOver(batch).succeeded()).isEqualTo(2);
	}

	@Test
	void aBatchWithoutJobsFinishesAtOnce() {
		long batch = this.queue.enqueueBatch(WITH_CALLBACKS, Stream.empty());
		process().start();
		awaitOver(batch);
		awaitCallbacks("finish", "success");
	}

	@Test
	void oneThatIsKeptOpenWaitsToBeClosed() {
		long batch = this.queue.enqueueBatch(WITH_CALLBACKS.keepOpen(), jobs(2));
		process().start();
		await().until(() -> progress(batch).succeeded() == 2);
		assertThat(this.queue.addToBatch(batch, jobs(3))).isEqualTo(3);
		await().until(() -> progress(batch).succeeded() == 5);
		assertThat(progress(batch).isFinished()).isFalse();
		assertThat(this.queue.closeBatch(batch)).isTrue();
		awaitOver(batch);
		assertThat(this.queue.closeBatch(batch)).isFalse();
		awaitCallbacks("finish", "success");
		assertThatExceptionOfType(JobQueueException.class).isThrownBy(() -> this.queue.addToBatch(batch, jobs(1)))
			.withMessageContaining("Batch " + batch + " has ended");
	}

	@Test
	void itsJobsCanAddToIt() {
		long batch = this.queue.enqueueBatch(WITH_CALLBACKS, Stream.of(JobRequest.of("split", "4")));
		process().handle("split", (depth, context) -> {
			int left = Integer.parseInt(depth);
			this.queue.addToBatch(context.batchId().orElseThrow(), (left > 0)
					? Stream.of(JobRequest.of("split", "" + (left - 1)), JobRequest.of("split", "" + (left - 1)))
					: jobs(1));
		}).start();
		assertThat(awaitOver(batch).total()).isEqualTo(31 + 16);
		awaitCallbacks("finish", "success");
	}

	@Test
	void itIsNotOverWhileATransactionAddsToIt() {
		long batch = this.queue.enqueueBatch(WITH_CALLBACKS, jobs(1));
		HikariDataSource application = this.engine.pool(1);
		TestProcess process = process().application(application).start();
		Transactions.template(application).executeWithoutResult((status) -> {
			process.queue().addToBatch(batch, jobs(1));
			await().until(() -> progress(batch).succeeded() == 1);
			await("maintenance has looked")
				.until(() -> this.engine.count("batch where id = ? and succeeded = 1", batch) == 1);
			assertThat(progress(batch).isFinished()).isFalse();
		});
		assertThat(awaitOver(batch).total()).isEqualTo(2);
	}

	@Test
	void whatIsRolledBackLeavesNothingBehind() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.queue.enqueueBatch(WITH_CALLBACKS, Stream.concat(jobs(1500),
					Stream.of(JobRequest.of("test").uniqueKey("key").duplicates(DuplicatePolicy.replace())))));
		assertThat(this.engine
			.number("select (select count(*) from rowqueue.job) + (select count(*) from rowqueue.batch)"
					+ " + (select count(*) from rowqueue.batch_delta) + (select count(*) from rowqueue.batch_callback)"))
			.isZero();
	}

	@Test
	void aFailedJobThatIsCancelledIsCountedOnce() {
		long batch = this.queue.enqueueBatch(Batch.named("batch").keepOpen(), Stream.of(JobRequest.of("broken")));
		process().start();
		await().until(() -> progress(batch).failed() == 1);
		this.engine.control().cancel(this.engine.number("select id from rowqueue.job where type = 'broken'"));
		assertThat(progress(batch)).extracting(BatchProgress::failed, BatchProgress::cancelled, BatchProgress::pending)
			.containsExactly(0L, 1L, 0L);
	}

	/** Kept small where it is run often: -Drowqueue.test.batch makes it bigger. */
	@Test
	void theCallbackRunsOnceWithManyJobsAndKilledProcesses() {
		int many = Integer.getInteger("rowqueue.test.batch", MANY);
		Random random = new Random(Seed.of(this));
		long batch = this.queue.enqueueBatch(WITH_CALLBACKS, jobs(many));
		Deque<TestProcess> processes = new ArrayDeque<>();
		Deque<TestProcess> killed = new ArrayDeque<>();
		for (int i = 0; i < Dose.of(3, 8); i++) {
			processes.add(process().prefetch(500).start());
			if (random.nextBoolean()) {
				TestProcess victim = processes.remove();
				long done = progress(batch).succeeded();
				await().until(() -> progress(batch).isFinished() || progress(batch).succeeded() > done);
				victim.loseDatabase();
				killed.add(victim);
				new JdbcTemplate(this.engine.dataSource()).update(
						"update rowqueue.worker set dead_at = now() where dead_at is null and heartbeat_at < now() - interval '2 seconds'");
			}
		}
		processes.add(process().start());
		while (!progress(batch).isFinished()) {
			long done = progress(batch).succeeded();
			await("more have succeeded").until(() -> {
				this.engine.jdbc()
					.update("update rowqueue.worker set dead_at = now() where dead_at is null and heartbeat_at < now() - interval '5 seconds'");
				BatchProgress now = progress(batch);
				return now.isFinished() || now.succeeded() > done;
			});
		}
		assertThat(progress(batch)).extracting(BatchProgress::total, BatchProgress::succeeded)
			.containsExactly((long) many, (long) many);
		awaitCallbacks("finish", "success");
		killed.forEach(TestProcess::stop);
	}

	private static Stream<JobRequest> jobs(int count) {
		return IntStream.range(0, count).mapToObj((i) -> JobRequest.of("test"));
	}

	private TestProcess.Builder process() {
		return this.engine.process().withMaintenance().maxAttempts(5).handle("test", (payload, context) -> {
		}).handle("broken", String.class, this::fail).handle("callback", this::note);
	}

	private void fail(String payload, JobContext context) {
		throw new FailJobException("as planned");
	}

	private void note(String payload, JobContext context) {
		this.engine.jdbc().update("insert into callback values (?)", payload);
	}

	private BatchProgress progress(long batch) {
		return this.queue.findBatch(batch).orElseThrow();
	}

	private BatchProgress awaitOver(long batch) {
		return await().until(() -> progress(batch), BatchProgress::isFinished);
	}

	/** These and no more, each once. */
	private void awaitCallbacks(String... events) {
		this.engine.awaitAllOver();
		assertThat(this.engine.jdbc().query("select event from callback order by 1", (row, index) -> row.getString(1)))
			.containsExactly(events);
	}

}
