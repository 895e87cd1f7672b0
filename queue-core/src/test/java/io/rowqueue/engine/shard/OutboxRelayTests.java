package io.rowqueue.engine.shard;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult;
import io.rowqueue.Job;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.shard.HandoverStore.Handover;
import io.rowqueue.flow.Batch;
import io.rowqueue.flow.Flow;
import io.rowqueue.shard.Shard;
import io.rowqueue.shard.ShardRole;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.Transactions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Jobs that are enqueued in an outbox run in the shards that are queues. */
class OutboxRelayTests {

	private static final JobRequest KEYED = JobRequest.of("test", "a").uniqueKey("key");

	@AutoClose
	private final TestShards shards = new TestShards(ShardRole.OUTBOX);

	private final QueueShard home = this.shards.shard(0);

	private final QueueShard eu = this.shards.shard(1);

	private final QueueShard outbox = this.shards.shard(2);

	private final ShardMoves moves = new ShardMoves(this.shards.group());

	private final OutboxRelay relay = new OutboxRelay(this.shards.group());

	@Test
	void aJobRunsInAnotherShardWithEverythingThatItHas() {
		EnqueueResult job = enqueue(
				JobRequest.of("test", "a").tags("red").priority(3).onFailure(JobRequest.of("failed")));
		EnqueueResult later = enqueue(JobRequest.of("test", "b").runAt(Instant.now().plusSeconds(3600)));
		Job before = this.shards.queue().find(job.id()).orElseThrow();
		assertThat(job.id() % Shard.MAX_SHARDS).isEqualTo(this.outbox.number());
		this.relay.relay();
		assertThat(this.shards.engine(2).jobs()).isZero();
		assertThat(this.shards.queue().find(job.id())).contains(before);
		assertThat(this.shards.queue().find(later.id()).orElseThrow().state()).isEqualTo(JobState.SCHEDULED);
		assertThat(rows("job_tag") + rows("job_on_failure")).isEqualTo(2);
		try (TestProcess one = run(0); TestProcess other = run(1)) {
			awaitEnd(job);
		}
	}

	@Test
	void aTransactionThatRollsBackHasEnqueuedNothing() {
		Transactions.template(this.outbox.dataSource()).executeWithoutResult((status) -> {
			this.shards.queue().enqueue(KEYED);
			status.setRollbackOnly();
		});
		this.relay.relay();
		assertThat(jobs()).isZero();
	}

	@Test
	void nothingIsEnqueuedThereOutsideOfItsTransactions() {
		for (int i = 0; i < 6; i++) {
			this.shards.queue().enqueue("test", "plain");
			this.shards.queue().enqueue(KEYED.uniqueKey("key " + i));
		}
		assertThat(this.shards.engine(2).jobs()).isZero();
		this.moves.balance(this.shards.group().queues());
		assertThat(this.shards.group().buckets(this.outbox)).isZero();
	}

	@Test
	void aKeyIsUniqueAcrossTheShards() {
		this.moves.moveBuckets(this.home, this.eu, 4096);
		EnqueueResult there = this.shards.queue().enqueue(KEYED);
		enqueue(KEYED);
		EnqueueResult other = enqueue(KEYED.uniqueKey("other"));
		this.relay.relay();
		assertThat(this.shards.engine(1).jobs()).as("the first job of each key").isEqualTo(2);
		assertThat(this.eu.queue().find(there.id())).isPresent();
		assertThat(this.eu.queue().find(other.id())).isPresent();
	}

	@Test
	void aKeyStaysTakenFromTheEnqueueOn() {
		EnqueueResult first = enqueue(KEYED.uniqueFromEnqueue(Duration.ofDays(1)));
		this.relay.relay();
		try (TestProcess process = run(0)) {
			awaitEnd(first);
		}
		assertThat(this.home.queue().enqueue(KEYED).created()).isFalse();
	}

	@Test
	void aJobReplacesTheOneThatWaitsInAnotherShard() {
		EnqueueResult there = this.shards.queue().enqueue(KEYED.tags("old"));
		enqueue(KEYED);
		enqueue(JobRequest.of("test", "b").uniqueKey("key").duplicates(DuplicatePolicy.replace()).tags("new"));
		this.relay.relay();
		assertThat(this.shards.engine(0).jobs()).isOne();
		assertThat(
				this.shards.engine(0).jdbc().queryForObject("select payload #>> '{}' from rowqueue.job", String.class))
			.isEqualTo("b");
		assertThat(this.shards.engine(0)
			.jdbc()
			.queryForList("select value from rowqueue.job_tag where job_id = ?", String.class, there.id()))
			.containsExactly("new");
	}

	@Test
	void aJobRunsAgainAfterTheOneThatRunsInAnotherShard() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		EnqueueResult there = this.shards.queue().enqueue(KEYED);
		try (TestProcess process = this.shards.engine(0).process().withMaintenance().handle("test", (payload, job) -> {
			if (job.id() == there.id()) {
				begun.countDown();
				end.await();
			}
		}).start()) {
			begun.await();
			EnqueueResult again = enqueue(KEYED.duplicates(DuplicatePolicy.runAgain()));
			this.relay.relay();
			assertThat(rows("job_follow_up")).isOne();
			end.countDown();
			awaitEnd(again);
		}
	}

	@Test
	void jobsOfAKeyArriveInTheirOrder() {
		enqueue(JobRequest.of("test", "1").uniqueKey("key").duplicates(DuplicatePolicy.replace()));
		assertThat(release(this.home)).isOne();
		enqueue(JobRequest.of("test", "2").uniqueKey("key").duplicates(DuplicatePolicy.replace()));
		assertThat(release(this.home)).as("while the first one has not arrived").isZero();
		this.moves.resume();
		this.relay.relay();
		assertThat(
				this.shards.engine(0).jdbc().queryForObject("select payload #>> '{}' from rowqueue.job", String.class))
			.isEqualTo("2");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3 })
	void aRelayThatDiesIsResumed(int steps) {
		List<EnqueueResult> enqueued = List.of(enqueue(JobRequest.of("test", "plain")), enqueue(KEYED),
				enqueue(JobRequest.of("test", "limited").limitKey("customer:42")));
		die(steps);
		this.moves.resume();
		this.relay.relay();
		assertThat(this.shards.engine(2).number("select count(*) from rowqueue.shard_handover_row")).isZero();
		assertThat(this.shards.engine(2).number("select count(*) from rowqueue.shard_handover")).isZero();
		assertThat(jobs()).isEqualTo(3);
		try (TestProcess one = run(0); TestProcess other = run(1)) {
			enqueued.forEach(this::awaitEnd);
		}
	}

	private void die(int steps) {
		// what admits jobs with limit keys may hold a row
		AtomicInteger released = new AtomicInteger();
		await().until(() -> released.addAndGet(release(this.home)) == 3);
		for (Handover handover : this.outbox.handovers().open(List.of())) {
			if (steps > 1) {
				receive(this.home, handover);
			}
			if (steps > 2) {
				this.outbox.handovers().forget(handover.batch());
			}
		}
	}

	@Test
	void aKeyThatWasMovedMeanwhileIsFollowed() {
		EnqueueResult job = enqueue(KEYED.tags("red"));
		assertThat(release(this.home)).isOne();
		Handover handover = this.outbox.handovers().open(List.of()).get(0);
		assertThat(this.moves.moveBuckets(this.home, this.eu, 4096)).isEqualTo(4096);
		receive(this.home, handover);
		assertThat(this.shards.engine(0).jobs()).isZero();
		this.moves.resume();
		assertThat(this.eu.queue().find(job.id())).isPresent();
		assertThat(this.shards.engine(1).number("select count(*) from rowqueue.job_tag")).isOne();
	}

	@Test
	void aQueueThatBecomesAnOutboxGivesUpItsKeys() {
		this.moves.moveBuckets(this.home, this.outbox, 100);
		this.relay.relay();
		enqueue(JobRequest.of("test", "a"));
		this.relay.relay();
		assertThat(this.shards.group().buckets(this.outbox)).isZero();
		assertThat(this.shards.engine(2).jobs()).isZero();
	}

	@Test
	void jobsThatDependOnEachOtherAreRefused() {
		EnqueueResult first = enqueue(JobRequest.of("test", "a"));
		Stream
			.<Supplier<?>>of(() -> enqueue(JobRequest.of("test", "b").after(first.id())),
					() -> this.outbox.queue().enqueue(Flow.named("flow").job("one", JobRequest.of("test"))),
					() -> this.outbox.queue().enqueueBatch(Batch.named("batch"), Stream.of(JobRequest.of("test"))))
			.forEach((refused) -> assertThatExceptionOfType(JobQueueException.class).isThrownBy(refused::get)
				.withMessageContaining("outbox 'us'"));
		assertThatExceptionOfType(JobQueueException.class)
			.isThrownBy(() -> enqueue(KEYED.duplicates(DuplicatePolicy.reject())))
			.withMessageContaining("cannot reject duplicates");
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(
				() -> enqueue(KEYED.duplicates(DuplicatePolicy.merge(String.class, (before, after) -> before + after))))
			.withMessageContaining("an outbox cannot apply the policy");
		assertThatExceptionOfType(DataAccessException.class)
			.isThrownBy(() -> this.shards.engine(2)
				.jdbc()
				.queryForObject("select rowqueue.enqueue('test', after => array[?])", Long.class, first.id()))
			.withMessageContaining("cannot run after others");
	}

	@Test
	void moreJobsThanABatchAreHandedOver() {
		this.outbox.queue()
			.enqueueAll(IntStream.range(0, 1200).mapToObj((number) -> JobRequest.of("test", "" + number)).toList());
		this.relay.relay();
		assertThat(this.shards.engine(2).jobs()).isZero();
		assertThat(jobs()).isEqualTo(1200);
	}

	private EnqueueResult enqueue(JobRequest request) {
		return Transactions.template(this.outbox.dataSource())
			.execute((status) -> this.shards.queue().enqueue(request));
	}

	/** Does the first step, to one shard. */
	private int release(QueueShard target) {
		return this.outbox.handovers()
			.releaseOutbox(100, Collections.nCopies(Shard.BUCKETS, target.number()), target.number());
	}

	private void receive(QueueShard target, Handover handover) {
		target.handovers()
			.receive(this.outbox.number(), handover, (after) -> this.outbox.handovers().rows(handover.batch(), after));
	}

	private long jobs() {
		return this.shards.engine(0).jobs() + this.shards.engine(1).jobs();
	}

	private long rows(String table) {
		return IntStream.range(0, 2)
			.mapToLong((shard) -> this.shards.engine(shard).number("select count(*) from rowqueue." + table))
			.sum();
	}

	private void awaitEnd(EnqueueResult job) {
		await().until(() -> this.shards.queue()
			.find(job.id())
			.map(Job::state)
			.filter(JobState.SUCCEEDED::equals)
			.isPresent());
	}

	private TestProcess run(int shard) {
		return this.shards.engine(shard).process().withMaintenance().handle("test", (payload, job) -> {
		}).start();
	}

}
