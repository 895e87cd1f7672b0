package io.rowqueue.engine.shard;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.rowqueue.EnqueueResult;
import io.rowqueue.Job;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.Verdict;
import io.rowqueue.control.CancelResult;
import io.rowqueue.control.JobReference;
import io.rowqueue.shard.Shard;
import io.rowqueue.step.SignalResult;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.Transactions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Jobs are found by their ids and keys, wherever they are now. */
class MovedJobTests {

	private static final JobRequest LATER = JobRequest.of("test", "a").delay(Duration.ofDays(1));

	/** Its limit key decides where it is. */
	private static final JobRequest LIMITED = LATER.limitKey("customer:42").uniqueKey("order:7");

	@AutoClose
	private final TestShards shards = new TestShards();

	private final QueueShard home = this.shards.shard(0);

	private final QueueShard eu = this.shards.shard(1);

	private final QueueShard us = this.shards.shard(2);

	private final ShardMoves moves = new ShardMoves(this.shards.group());

	private final DefaultShards all = new DefaultShards(this.shards.group(), () -> {
	});

	@Test
	void aJobIsFoundThatLeftAShardThatThisProcessUsesNoMore() {
		long moved = this.us.queue().enqueue(LATER).id();
		this.moves.empty(this.us, List.of(this.eu));
		long stays = this.us.queue().enqueue(LATER).id();
		this.home.refresh(this.home);
		this.shards.group().remove("us");
		isKnown(moved);
		assertThatExceptionOfType(DataAccessResourceFailureException.class)
			.isThrownBy(() -> this.shards.queue().find(stays))
			.withMessageContaining("number 3");
		assertThatExceptionOfType(DataAccessResourceFailureException.class).isThrownBy(() -> this.all.holding(stays));
		assertThat(this.all.holding(4711)).isEmpty();
	}

	@Test
	void aJobIsFoundThatLeftAShardThatIsAway() {
		long moved = this.us.queue().enqueue(LATER).id();
		this.moves.empty(this.us, List.of(this.eu));
		this.shards.refuse(2, true);
		this.shards.away(2, true);
		try {
			isKnown(moved);
		}
		finally {
			this.shards.refuse(2, false);
		}
	}

	private void isKnown(long moved) {
		assertThat(this.shards.queue().find(moved)).isPresent();
		assertThat(this.shards.queue().signal(moved, "paid", null)).isEqualTo(SignalResult.STORED);
		assertThat(this.shards.queue().enqueue(LATER.after(moved)).id() % 1024).isEqualTo(this.eu.number());
		JobAdmin admin = admin(this.all.holding(moved));
		assertThat(admin.explain(moved).verdict()).isNotEqualTo(Verdict.UNKNOWN);
		assertThat(admin.cancel(moved)).isEqualTo(CancelResult.CANCELLED);
	}

	private JobAdmin admin(Optional<Shard> shard) {
		return this.all.admin(shard.orElseThrow().name()).jobs();
	}

	/** Where no history is kept, a job that is in no table may have succeeded. */
	@Test
	void aJobRunsAfterOneThatWasMovedAlsoIfNoHistoryIsKept() throws Exception {
		try (TestShards without = TestShards.withoutHistory()) {
			long first = without.queue().enqueue(LATER.uniqueKey("key")).id();
			new ShardMoves(without.group()).moveBuckets(without.shard(0), without.shard(1), 4096);
			EnqueueResult second = without.queue().enqueue(JobRequest.of("test", "b").after(first));
			assertThat(without.queue().find(second.id())).map(Job::state).contains(JobState.BLOCKED);
			without.shard(1).admin().jobs().cancel(first);
			long ended = without.shard(0).queue().enqueue(JobRequest.of("test", "a")).id();
			without.engine(0).jdbc().update("delete from rowqueue.job where id = ?", ended);
			EnqueueResult third = without.queue().enqueue(JobRequest.of("test", "c").after(ended));
			assertThat(without.queue().find(third.id())).map(Job::state).contains(JobState.QUEUED);
		}
	}

	@Test
	void aJobIsAwaitedThatIsBetweenTwoShards() {
		EnqueueResult job = this.shards.queue().enqueue(JobRequest.of("test", "a").uniqueKey("key"));
		LiveMoveTests.die(this.home, this.eu, this.shards.bucket(JobRequest.of("test").uniqueKey("key")), 1);
		this.shards.group().onOverdueMove(this.moves::resume);
		CompletableFuture<Optional<Job>> awaited = Async.supply(() -> await(job.id(), Duration.ofMinutes(2)));
		try (TestProcess process = this.shards.engine(1).process().handle("test", (payload, context) -> {
		}).start()) {
			assertThat(awaited.join()).map(Job::state).contains(JobState.SUCCEEDED);
		}
	}

	private Optional<Job> await(long id, Duration timeout) {
		try {
			return this.shards.queue().await(id, timeout);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void aJobWithALimitKeyIsFoundByItsUniqueKey() {
		moveLimitKey();
		long job = this.shards.queue().enqueue(LIMITED).id();
		assertThat(job % 1024).isEqualTo(this.eu.number());
		assertThat(this.shards.queue().signal("order:7", "paid", null)).isEqualTo(SignalResult.STORED);
		TransactionTemplate atHome = Transactions.template(this.home.dataSource());
		SignalResult again = atHome.execute((status) -> this.shards.queue().signal("order:7", "paid", null));
		assertThat(again).isEqualTo(SignalResult.ALREADY_SENT);
		assertThat(this.shards.queue().signal("order:8", "paid", null)).isEqualTo(SignalResult.NO_SUCH_JOB);
		JobReference found = admin(this.all.holding("order:7")).job("order:7");
		assertThat(found.find()).map(Job::id).contains(job);
		assertThat(found.cancel()).isEqualTo(CancelResult.CANCELLED);
		assertThat(this.all.holding("order:7")).isEmpty();
	}

	@Test
	void aKeyIsReleasedInTheShardOfTheLimitKey() {
		moveLimitKey();
		this.shards.queue().enqueue(LIMITED.uniqueFromEnqueue(Duration.ofDays(1)));
		JobAdmin admin = admin(this.all.holding("order:7"));
		assertThat(admin.releaseKey("order:7")).isTrue();
		assertThat(admin.releaseKey("order:7")).isFalse();
	}

	private void moveLimitKey() {
		int bucket = this.shards.bucket(LIMITED);
		assertThat(Buckets.of("order:7")).isNotEqualTo(bucket);
		LiveMoveTests.die(this.home, this.eu, bucket, 3);
		this.shards.group().refreshBuckets();
	}

	@Test
	void aKeyThatIsKeptMovesWithTheBucketOfTheLimitKey() {
		EnqueueResult first = this.shards.queue().enqueue(LIMITED.uniqueFromEnqueue(Duration.ofDays(1)));
		assertThat(this.home.admin().jobs().cancel(first.id())).isEqualTo(CancelResult.CANCELLED);
		moveLimitKey();
		assertThat(this.shards.queue().enqueue(LIMITED))
			.isEqualTo(new EnqueueResult(first.id(), EnqueueResult.Outcome.DONE));
	}

	@Test
	void aKeyThatASuccessKeepsMovesWithTheBucketOfTheLimitKey() {
		JobRequest request = JobRequest.of("test", "a")
			.limitKey("customer:42")
			.uniqueKey("order:7")
			.uniqueFor(Duration.ofDays(1));
		EnqueueResult first = this.shards.queue().enqueue(request);
		try (TestProcess process = this.shards.engine(0)
			.process()
			.withMaintenance()
			.handle("test", (payload, context) -> {
			})
			.start()) {
			this.shards.engine(0).awaitState(first.id(), JobState.SUCCEEDED);
		}
		moveLimitKey();
		assertThat(this.shards.queue().enqueue(request))
			.isEqualTo(new EnqueueResult(first.id(), EnqueueResult.Outcome.DONE));
	}

}
