package io.rowqueue.engine.shard;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.flow.Flow;
import io.rowqueue.step.SignalResult;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.Transactions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Jobs are moved while transactions are open that refer to them. */
@Execution(ExecutionMode.CONCURRENT)
class OpenTransactionMoveTests {

	private static final JobRequest KEYED = JobRequest.of("test", "a").uniqueKey("key");

	@AutoClose
	private final TestShards shards = new TestShards();

	private final QueueShard home = this.shards.shard(0);

	private final QueueShard eu = this.shards.shard(1);

	private final ShardMoves moves = new ShardMoves(this.shards.group());

	@Test
	void aJobWithAKeyWaitsForTheTransactionThatSignalsIt() {
		long job = enqueue(KEYED).id();
		int moved = during(() -> signal(job), this::moveAll);
		assertThat(moved).as("its bucket stays").isEqualTo(4095);
		assertThat(moveAll()).isOne();
		assertThat(this.shards.engine(1).number("select count(*) from rowqueue.job_signal where job_id = " + job))
			.isOne();
		assertThat(signal(job)).as("there once").isEqualTo(SignalResult.ALREADY_SENT);
	}

	@Test
	void aJobWithoutAKeyWaitsForTheTransactionThatSignalsIt() {
		long job = this.home.queue().enqueue("test", "plain").id();
		during(() -> signal(job), () -> this.moves.empty(this.home, List.of(this.eu)));
		assertThat(this.shards.engine(0).jobs()).as("no job without a key is moved").isOne();
		this.moves.empty(this.home, List.of(this.eu));
		assertThat(this.shards.engine(0).jobs()).isZero();
		assertThat(this.shards.engine(1).number("select count(*) from rowqueue.job_signal where job_id = " + job))
			.isOne();
	}

	@Test
	void aJobWithoutAKeyStaysThatAnotherJobWaitsFor() {
		long first = this.home.queue().enqueue("test", "plain").id();
		long later = this.home.queue().enqueue(JobRequest.of("test", "later").delay(Duration.ofDays(1))).id();
		long second = this.home.queue().enqueue(JobRequest.of("test", "second").after(first)).id();
		this.home.queue().enqueue(JobRequest.of("test", "third").after(later));
		this.moves.empty(this.home, List.of(this.eu));
		assertThat(this.shards.engine(1).jobs()).as("maintenance has not marked them").isZero();
		try (TestProcess process = run(0)) {
			this.shards.engine(0).awaitState(second, JobState.SUCCEEDED);
		}
	}

	@Test
	void aJobThatIsBeingMovedIsSignalledWhereItArrives() {
		long job = enqueue(KEYED).id();
		LiveMoveTests.die(this.home, this.eu, this.shards.bucket(KEYED), 1);
		CompletableFuture<SignalResult> signal = Async.supply(() -> signal(job));
		CompletableFuture<SignalResult> byKey = Async.supply(() -> this.shards.queue().signal("key", "other", null));
		this.moves.resume();
		assertThat(signal.join()).isEqualTo(SignalResult.STORED);
		assertThat(byKey.join()).isEqualTo(SignalResult.STORED);
		assertThat(this.shards.engine(1).number("select count(*) from rowqueue.job_signal where job_id = " + job))
			.isEqualTo(2);
		assertThat(this.shards.queue().signal(4711, "paid", null)).isEqualTo(SignalResult.NO_SUCH_JOB);
	}

	@Test
	void aJobWaitsForTheTransactionThatStoresItsSuccessor() {
		long first = enqueue(KEYED).id();
		JobRequest second = JobRequest.of("test", "b").after(first);
		assertThat(during(() -> enqueue(second), this::moveAll)).isEqualTo(4095);
		assertThat(moveAll()).as("another job waits for it").isZero();
		try (TestProcess process = run(0)) {
			this.shards.engine(0).awaitState(first, JobState.SUCCEEDED);
		}
	}

	@Test
	void aJobWaitsForTheTransactionOfSqlThatStoresItsSuccessor() {
		long first = enqueue(KEYED).id();
		JdbcTemplate jdbc = new JdbcTemplate(this.home.dataSource());
		assertThat(during(
				() -> jdbc.queryForObject("select rowqueue.enqueue('test', after => array[?])", Long.class, first),
				this::moveAll))
			.isEqualTo(4095);
	}

	@Test
	void theKeyOfAJobStaysForTheTransactionOfItsFlow() {
		Flow flow = Flow.named("flow").job("own", KEYED.duplicates(DuplicatePolicy.reject()));
		assertThat(during(() -> this.shards.queue().enqueue(flow), this::moveAll)).isEqualTo(4095);
	}

	@Test
	void aJobRunsAfterOneThatWasMoved() {
		long first = enqueue(KEYED).id();
		moveAll();
		EnqueueResult second = enqueue(JobRequest.of("test", "b").after(first));
		assertThat(second.id() % 1024).as("it is stored where the first one is").isEqualTo(this.eu.number());
		assertThat(inTransaction(this.eu, () -> enqueue(JobRequest.of("test", "c").after(first))).id() % 1024)
			.isEqualTo(this.eu.number());
		assertThatExceptionOfType(JobQueueException.class)
			.isThrownBy(() -> inTransaction(this.home, () -> enqueue(JobRequest.of("test", "d").after(first))))
			.withMessageContaining("job %d belongs to the shard 'eu'".formatted(first));
		assertThatExceptionOfType(JobQueueException.class).isThrownBy(() -> enqueue(JobRequest.of("test").after(4711)))
			.withMessageContaining("There is no job 4711");
		try (TestProcess process = run(1)) {
			this.shards.engine(1).awaitState(second.id(), JobState.SUCCEEDED);
		}
	}

	private SignalResult signal(long job) {
		return this.shards.queue().signal(job, "paid", null);
	}

	/**
	 * Does something in a transaction of the home shard that is open while something else
	 * is done, and commits.
	 */
	private <T> T during(Runnable work, Supplier<T> meanwhile) {
		return inTransaction(this.home, () -> {
			work.run();
			return Async.supply(meanwhile).join();
		});
	}

	private static <T> T inTransaction(QueueShard shard, Supplier<T> work) {
		DataSourceTransactionManager manager = Transactions.manager(shard.dataSource());
		TransactionStatus status = manager.getTransaction(new DefaultTransactionDefinition());
		try {
			T result = work.get();
			manager.commit(status);
			return result;
		}
		finally {
			if (!status.isCompleted()) {
				manager.rollback(status);
			}
		}
	}

	private EnqueueResult enqueue(JobRequest request) {
		return this.shards.queue().enqueue(request);
	}

	private int moveAll() {
		return this.moves.moveBuckets(this.home, this.eu, 4096);
	}

	private TestProcess run(int shard) {
		return this.shards.engine(shard).process().withMaintenance().handle("test", (payload, job) -> {
		}).start();
	}

}
