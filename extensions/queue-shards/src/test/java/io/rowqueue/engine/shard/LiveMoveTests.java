package io.rowqueue.engine.shard;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.EnqueueResult;
import io.rowqueue.Job;
import io.rowqueue.JobLogLine;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.engine.control.CancelRequestTask;
import io.rowqueue.engine.enqueue.CheckedPayloads;
import io.rowqueue.engine.schedule.ClusterSchedules;
import io.rowqueue.engine.schedule.ScheduleStore;
import io.rowqueue.engine.shard.HandoverStore.Handover;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.schedule.OverlapPolicy;
import io.rowqueue.schedule.Rhythm;
import io.rowqueue.schedule.Schedule;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Buckets are moved between shards while the queue works. */
@Execution(ExecutionMode.CONCURRENT)
class LiveMoveTests {

	private static final JobRequest JOB = JobRequest.of("test", "a").uniqueKey("key");

	@AutoClose
	private final TestShards shards = new TestShards();

	private final ShardMoves moves = new ShardMoves(this.shards.group());

	@Test
	void aBucketIsMovedWithAllOfItsJobs() {
		JobRequest delayed = JOB.uniqueKey("delayed")
			.delay(Duration.ofDays(1))
			.priority(3)
			.tolerance(Duration.ofHours(1));
		JobRequest limited = JobRequest.of("test", "l").limitKey("customer:42");
		EnqueueResult due = enqueue(JOB);
		EnqueueResult later = enqueue(delayed);
		EnqueueResult one = enqueue(limited);
		Job before = this.shards.queue().find(later.id()).orElseThrow();
		assertThat(moveAll(0, 1)).isEqualTo(4096);
		assertThat(this.shards.engine(0).jobs()).isZero();
		assertThat(this.shards.engine(1).jobs()).isEqualTo(3);
		assertThat(this.shards.queue().find(later.id())).contains(before);
		assertThat(enqueue(JOB)).isEqualTo(new EnqueueResult(due.id(), Outcome.KEPT));
		assertThat(enqueue(JOB.uniqueKey("other")).id() % 1024).isEqualTo(this.shards.shard(1).number());
		try (TestProcess process = run(1)) {
			List.of(due, one).forEach((job) -> this.shards.engine(1).awaitState(job.id(), JobState.SUCCEEDED));
		}
	}

	@Test
	void aFollowUpIsMovedWithTheJobThatItFollows() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		try (TestProcess process = this.shards.engine(0).process().concurrency(1).handle("test", (payload, job) -> {
			begun.countDown();
			end.await();
		}).start()) {
			enqueue(JOB);
			begun.await();
			EnqueueResult followUp = enqueue(JOB.duplicates(DuplicatePolicy.runAgain()));
			assertThat(followUp.outcome()).isEqualTo(Outcome.FOLLOW_UP);
			assertThat(moveAll(0, 1)).as("a bucket with a running job is left out").isEqualTo(4095);
			assertThat(this.shards.group().owner(this.shards.bucket(JOB))).isEqualTo(this.shards.shard(0).number());
			end.countDown();
			process.stop();
			assertThat(moveAll(0, 1)).isEqualTo(1);
			try (TestProcess other = run(1)) {
				this.shards.engine(1).awaitState(followUp.id(), JobState.SUCCEEDED);
			}
		}
	}

	@Test
	void whatBelongsToAFollowUpIsMovedWithIt() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		EnqueueResult followUp;
		try (TestProcess process = this.shards.engine(0).process().concurrency(1).handle("test", (payload, job) -> {
			begun.countDown();
			end.await();
		}).start()) {
			enqueue(JOB);
			begun.await();
			followUp = enqueue(JOB.duplicates(DuplicatePolicy.runAgain())
				.tags("customer:42")
				.expiresIn(Duration.ofDays(1))
				.onFailure(JobRequest.of("repair")));
			this.shards.queue().signal(followUp.id(), "paid", null);
			end.countDown();
		}
		assertThat(moveAll(0, 1)).isEqualTo(4096);
		assertThat(List.of("job_follow_up where id", "job_tag where job_id", "job_expiry where job_id",
				"job_on_failure where job_id", "job_signal where job_id"))
			.allSatisfy((rows) -> {
				assertThat(this.shards.engine(0).count(rows + " = ?", followUp.id())).isZero();
				assertThat(this.shards.engine(1).count(rows + " = ?", followUp.id())).isOne();
			});
	}

	@Test
	void aKeyThatIsKeptStaysTakenAlthoughItWasTakenAtTheTargetBefore() {
		JobRequest kept = JOB.uniqueFor(Duration.ofDays(1));
		EnqueueResult job = enqueue(kept);
		try (TestProcess process = run(0)) {
			this.shards.engine(0).awaitState(job.id(), JobState.SUCCEEDED);
		}
		this.shards.engine(1)
			.jdbc()
			.update("insert into rowqueue.taken_key values ('key', 7, now() - interval '1 second')");
		assertThat(moveAll(0, 1)).isEqualTo(4096);
		assertThat(enqueue(kept)).isEqualTo(new EnqueueResult(job.id(), Outcome.DONE));
	}

	@Test
	void aJobThatAnotherJobWaitsForStays() {
		EnqueueResult first = enqueue(JOB);
		EnqueueResult after = this.shards.shard(0).queue().enqueue(JobRequest.of("test").after(first.id()));
		assertThat(moveAll(0, 1)).as("maintenance has not marked the job").isEqualTo(4095);
		try (TestProcess process = run(0)) {
			this.shards.engine(0).awaitState(after.id(), JobState.SUCCEEDED);
		}
		assertThat(moveAll(0, 1)).isOne();
	}

	@Test
	void aFollowUpThatAnotherJobWaitsForStays() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		EnqueueResult followUp;
		try (TestProcess process = this.shards.engine(0).process().concurrency(1).handle("test", (payload, job) -> {
			begun.countDown();
			end.await();
		}).start()) {
			enqueue(JOB);
			begun.await();
			followUp = enqueue(JOB.duplicates(DuplicatePolicy.runAgain()));
			end.countDown();
		}
		EnqueueResult after = this.shards.shard(0).queue().enqueue(JobRequest.of("test").after(followUp.id()));
		assertThat(this.shards.engine(0).jobs()).as("the job has ended, and its follow-up is not queued yet").isOne();
		assertThat(moveAll(0, 1)).isEqualTo(4095);
		try (TestProcess process = run(0)) {
			this.shards.engine(0).awaitState(after.id(), JobState.SUCCEEDED);
		}
	}

	@Test
	void theLogOfAJobIsMovedWithIt() {
		EnqueueResult job = enqueue(JOB);
		try (TestProcess process = this.shards.engine(0).process().handle("test", (payload, context) -> {
			context.log().info("moves");
			throw SnoozeJobException.by(Duration.ofHours(1));
		}).start()) {
			this.shards.engine(0).awaitState(job.id(), JobState.SCHEDULED);
		}
		assertThat(moveAll(0, 1)).isEqualTo(4096);
		assertThat(this.shards.engine(0).stores().leases().logs().list(job.id())).isEmpty();
		assertThat(this.shards.engine(1).stores().leases().logs().list(job.id())).singleElement()
			.extracting(JobLogLine::text)
			.isEqualTo("moves");
	}

	/**
	 * A transaction cancelled the job while a worker held it, and maintenance does not
	 * know yet.
	 */
	@Test
	void aRequestToCancelAJobIsMovedWithIt() {
		EnqueueResult job = enqueue(JOB);
		this.shards.engine(1).jdbc().update("insert into rowqueue.cancel_request (job_id) values (7)");
		this.shards.engine(0).jdbc().update("insert into rowqueue.cancel_request (job_id) values (?)", job.id());
		assertThat(moveAll(0, 1)).isEqualTo(4096);
		for (int shard = 0; shard < 2; shard++) {
			Engine engine = this.shards.engine(shard);
			new CancelRequestTask(engine.queueDatabase()).run();
			assertThat(engine.count("cancel_request")).isZero();
		}
		assertThat(this.shards.queue().find(job.id()).map(Job::state)).contains(JobState.CANCELLED);
	}

	@Test
	void jobsWhoseKeyIsTakenAtTheTargetRunAfterTheJobThatHasIt() {
		EnqueueResult there = this.shards.shard(1).queue().enqueue(JOB);
		EnqueueResult here = enqueue(JOB);
		assertThat(moveAll(0, 1)).isEqualTo(4096);
		EnqueueResult again = this.shards.shard(2).queue().enqueue(JOB);
		this.shards.engine(2)
			.jdbc()
			.update("insert into rowqueue.shard_bucket (bucket, state) values (?, 'owned')", this.shards.bucket(JOB));
		this.shards.shard(2)
			.handovers()
			.releaseBuckets(List.of(this.shards.bucket(JOB)), this.shards.shard(1).number());
		this.moves.resume();
		assertThat(this.shards.engine(1).number("select count(*) from rowqueue.job_follow_up")).isEqualTo(2);
		try (TestProcess process = run(1)) {
			for (EnqueueResult each : List.of(there, here, again)) {
				this.shards.engine(1).awaitState(each.id(), JobState.SUCCEEDED);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3 })
	void aMoverThatDiesIsResumed(int steps) {
		EnqueueResult waiting = enqueue(JOB);
		die(this.shards.shard(0), this.shards.shard(1), this.shards.bucket(JOB), steps);
		this.moves.resume();
		assertThat(this.shards.engine(0).number("select count(*) from rowqueue.shard_handover")).isZero();
		assertThat(this.shards.engine(0).number("select count(*) from rowqueue.shard_handover_row")).isZero();
		assertThat(this.shards.engine(0).jobs()).isZero();
		assertThat(this.shards.engine(1).jobs()).isOne();
		assertThat(enqueue(JOB).id()).isEqualTo(waiting.id());
		this.moves.resume();
		assertThat(moveAll(1, 0)).as("and back").isEqualTo(1);
		assertThat(enqueue(JOB).id()).isEqualTo(waiting.id());
	}

	@Test
	void anEnqueueWaitsForTheEndOfTheMove() {
		EnqueueResult waiting = enqueue(JOB);
		die(this.shards.shard(0), this.shards.shard(1), this.shards.bucket(JOB), 1);
		CompletableFuture<EnqueueResult> enqueue = Async.supply(() -> enqueue(JOB));
		assertThat(enqueue(JobRequest.of("test", "no key"))).as("others do not wait").isNotNull();
		this.moves.resume();
		assertThat(enqueue.join()).isEqualTo(new EnqueueResult(waiting.id(), Outcome.KEPT));
	}

	@Test
	void anEnqueueThatWaitsHasTheMoveOfAMoverThatDiedCompleted() {
		EnqueueResult waiting = enqueue(JOB);
		die(this.shards.shard(0), this.shards.shard(1), this.shards.bucket(JOB), 1);
		this.shards.group().onOverdueMove(this.moves::resume);
		assertThat(enqueue(JOB)).isEqualTo(new EnqueueResult(waiting.id(), Outcome.KEPT));
		assertThat(this.shards.engine(1).jobs()).isOne();
	}

	@Test
	void aStreamThatIsTriedAgainFindsTheNewOwnerOfTheKey() {
		die(this.shards.shard(0), this.shards.shard(1), this.shards.bucket(JOB), 3);
		assertThatExceptionOfType(ConcurrencyFailureException.class).as("another process has moved the key")
			.isThrownBy(this::enqueueStream);
		assertThat(enqueueStream()).isOne();
		assertThat(this.shards.engine(1).jobs()).isOne();
	}

	private long enqueueStream() {
		return this.shards.queue().enqueueAll(Stream.of(JOB), (result) -> {
		});
	}

	@Test
	void aMoveWaitsForAnEnqueueThatIsUnderWay() {
		BucketStore keys = this.shards.shard(0).keys();
		CompletableFuture<Integer> move = new CompletableFuture<>();
		keys.enqueue(List.of(this.shards.bucket(JOB)), () -> {
			Async.supply(() -> moveAll(0, 1)).whenComplete((moved, ex) -> complete(move, moved, ex));
			await("it waits, or has waited").until(() -> move.isDone() || this.shards.engine(0)
				.number("select count(*) from pg_locks where locktype = 'advisory' and not granted") == 1);
			return this.shards.shard(0).queue().enqueue(JOB);
		});
		assertThat(move.join() + moveAll(0, 1)).as("on a slow machine, the bucket is left out at first")
			.isEqualTo(4096);
		assertThat(this.shards.engine(1).jobs()).isOne();
	}

	private static void complete(CompletableFuture<Integer> move, Integer moved, Throwable ex) {
		if (ex != null) {
			move.completeExceptionally(ex);
		}
		else {
			move.complete(moved);
		}
	}

	@Test
	void bucketsAreBalanced() {
		assertThat(this.moves.balance(this.shards.group().all())).isGreaterThan(2700);
		assertThat(this.shards.group().all()).allMatch((shard) -> this.shards.group().buckets(shard) >= 1365);
	}

	@Test
	void aShardIsEmptied() {
		for (int i = 0; i < 1500; i++) {
			this.shards.shard(0).queue().enqueue("test", "plain " + i);
		}
		enqueue(JOB);
		assertThat(this.moves.empty(this.shards.shard(0), List.of(this.shards.shard(1), this.shards.shard(2))))
			.isEqualTo(4096);
		assertThat(this.shards.engine(0).jobs()).isZero();
		assertThat(this.shards.engine(1).jobs() + this.shards.engine(2).jobs()).isEqualTo(1501);
	}

	/** It does not end the call with an exception: the next call finds what was left. */
	@Test
	void whatAnotherTransactionHasLockedForLongIsLeftOut() {
		QueueShard home = this.shards.shard(0);
		home.queue().enqueue(JobRequest.of("test", "plain").tags("customer:42"));
		TransactionTemplate other = new TransactionTemplate(new JdbcTransactionManager(home.dataSource()));
		other.executeWithoutResult((status) -> {
			new JdbcTemplate(home.dataSource()).execute("select from rowqueue.job_tag for update");
			assertThat(Async.supply(() -> this.moves.empty(home, List.of(this.shards.shard(1)))).join())
				.isEqualTo(4096);
			assertThat(this.shards.engine(0).jobs()).isOne();
		});
		this.moves.empty(home, List.of(this.shards.shard(1)));
		assertThat(this.shards.engine(0).jobs()).isZero();
		assertThat(this.shards.engine(1).jobs()).isOne();
	}

	@Test
	void aJobStaysThatItsScheduleWaitsFor() {
		QueueShard home = this.shards.shard(0);
		Engine engine = this.shards.engine(0);
		Schedules schedules = new ClusterSchedules(new ScheduleStore(engine.queueDatabase()),
				CheckedPayloads.ofDefaults(), WakeUps.ofThisProcess(engine.queueDatabase()));
		JobRequest recurring = JobRequest.of("test");
		for (Schedule schedule : List.of(Schedule.of("a", Rhythm.every(Duration.ofHours(1)), recurring),
				Schedule.of("b", Rhythm.every(Duration.ofHours(1)), recurring.limitKey("b")),
				Schedule.of("c", Rhythm.every(Duration.ofHours(1)), recurring).overlap(OverlapPolicy.QUEUE))) {
			schedules.put(schedule);
			assertThat(schedules.trigger(schedule.name())).isPresent();
		}
		assertThat(this.moves.empty(home, List.of(this.shards.shard(1)))).as("the bucket of its limit key stays")
			.isEqualTo(4095);
		assertThat(this.shards.engine(1).jobs()).as("the one of a schedule that queues").isOne();
		assertThat(schedules.trigger("a")).as("its job has not ended").isEmpty();
		assertThat(schedules.trigger("b")).isEmpty();
	}

	/** Does that many of the three steps of a move. */
	static void die(QueueShard from, QueueShard to, int bucket, int steps) {
		assertThat(from.handovers().releaseBuckets(List.of(bucket), to.number())).containsExactly(bucket);
		Handover handover = from.handovers().open(List.of()).get(0);
		if (steps > 1) {
			to.handovers().receive(from.number(), handover, (after) -> from.handovers().rows(handover.batch(), after));
		}
		if (steps > 2) {
			from.handovers().forget(handover.batch());
		}
	}

	private EnqueueResult enqueue(JobRequest request) {
		return this.shards.queue().enqueue(request);
	}

	private int moveAll(int from, int to) {
		return this.moves.moveBuckets(this.shards.shard(from), this.shards.shard(to), 4096);
	}

	private TestProcess run(int shard) {
		return this.shards.engine(shard).process().withMaintenance().handle("test", (payload, job) -> {
		}).start();
	}

}
