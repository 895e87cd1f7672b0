package io.rowqueue.engine.shard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.rowqueue.EnqueueResult;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.support.UncommittedException;
import io.rowqueue.flow.Flow;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.Transactions;
import io.rowqueue.testing.UnsafeCommits.Fault;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A database that goes away hurts its own jobs only. */
class ShardAwayTests {

	private static final int AWAY = 1;

	private static final JobRequest PLAIN = JobRequest.of("test", "");

	private final AtomicReference<Fault> commits = new AtomicReference<>(Fault.NONE);

	@AutoClose
	private final TestShards shards = new TestShards(this.commits::get);

	@Test
	void itsJobsWaitAndThoseWithoutAKeyAreEnqueuedAndRunInTheOthers() {
		JobRequest keyed = JobRequest.of("test", "").uniqueKey("key");
		new ShardMoves(this.shards.group()).moveBuckets(this.shards.shard(0), this.shards.shard(AWAY), 4096);
		EnqueueResult waiting = this.shards.queue().enqueue(keyed);
		this.shards.refuse(AWAY, true);
		try (TestProcess home = run(0); TestProcess us = run(2)) {
			List<Long> ids = IntStream.range(0, 9).mapToObj((i) -> this.shards.queue().enqueue(PLAIN).id()).toList();
			for (long id : ids) {
				int number = Math.toIntExact(id % 1024);
				this.shards.engine((number == this.shards.shard(0).number()) ? 0 : 2)
					.awaitState(id, JobState.SUCCEEDED);
			}
			assertThatExceptionOfType(TransactionException.class).as("a key of it")
				.isThrownBy(() -> this.shards.queue().enqueue(keyed));
			TransactionTemplate transaction = Transactions.template(this.shards.shard(AWAY).dataSource());
			assertThatExceptionOfType(TransactionException.class).as("a transaction of it")
				.isThrownBy(() -> transaction.execute((status) -> this.shards.queue().enqueue(PLAIN)));
		}
		this.shards.refuse(AWAY, false);
		try (TestProcess back = run(AWAY)) {
			this.shards.engine(AWAY).awaitState(waiting.id(), JobState.SUCCEEDED);
		}
	}

	/** A pool does not check connections that were used a moment ago. */
	@ParameterizedTest
	@EnumSource
	void whatHasNoKeyIsEnqueuedOnceInAnotherShardIfAPooledConnectionWasCut(Enqueue way) {
		enqueueInEachShard(way);
		this.shards.refuse(AWAY, true);
		List<Long> ids = enqueueInEachShard(way);
		assertThat(ids).allMatch((id) -> id % 1024 != this.shards.shard(AWAY).number());
		this.shards.refuse(AWAY, false);
		assertThat(stored()).isEqualTo(2 * ids.size());
	}

	@Test
	void anEnqueueOfAKeyOfItFailsWithTheReason() {
		JobRequest keyed = JobRequest.of("test", "").uniqueKey("key");
		new ShardMoves(this.shards.group()).moveBuckets(this.shards.shard(0), this.shards.shard(AWAY), 4096);
		this.shards.queue().enqueue(keyed);
		this.shards.refuse(AWAY, true);
		assertThatExceptionOfType(TransactionException.class).isThrownBy(() -> this.shards.queue().enqueue(keyed))
			.havingRootCause()
			.withMessageContaining("terminating connection");
	}

	/** The job may be stored in the first shard. */
	@ParameterizedTest
	@EnumSource(names = { "BEFORE", "AFTER" })
	void aJobIsNotEnqueuedInAnotherShardIfItsCommitWasNotAnswered(Fault fault) {
		this.commits.set(fault);
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> this.shards.queue().enqueue(PLAIN))
			.isNotInstanceOf(UncommittedException.class);
		this.commits.set(Fault.NONE);
		assertThat(stored()).isEqualTo((fault == Fault.AFTER) ? 1 : 0);
	}

	@Test
	void aStreamOfWhichMoreThanTheFirstJobWasReadIsNotEnqueuedInAnotherShard() {
		List<Integer> read = new ArrayList<>();
		Stream<JobRequest> jobs = IntStream.range(0, 3000).peek(read::add).mapToObj((job) -> {
			if (job == 1500) {
				IntStream.range(0, 3).forEach((shard) -> this.shards.refuse(shard, true));
			}
			return PLAIN;
		});
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> this.shards.queue().enqueueAll(jobs, (result) -> {
			}));
		IntStream.range(0, 3).forEach((shard) -> this.shards.refuse(shard, false));
		assertThat(read).doesNotHaveDuplicates();
		assertThat(stored()).isZero();
	}

	/** The shards take their turns. */
	private List<Long> enqueueInEachShard(Enqueue way) {
		return this.shards.engines()
			.stream()
			.flatMap((engine) -> way.enqueue.apply(this.shards.queue()).stream())
			.toList();
	}

	private int stored() {
		return this.shards.engines()
			.stream()
			.mapToInt((engine) -> new JdbcTemplate(engine.dataSource())
				.queryForObject("select count(*) from rowqueue.job", Integer.class))
			.sum();
	}

	private TestProcess run(int shard) {
		return this.shards.engine(shard).process().handle("test", (payload, job) -> {
		}).start();
	}

	/** How jobs without keys are enqueued; returns their ids. */
	private enum Enqueue {

		ONE((queue) -> List.of(queue.enqueue(PLAIN).id())),

		DELAYED((queue) -> List.of(queue.enqueue(PLAIN.delay(Duration.ofDays(1))).id())),

		LIST((queue) -> queue.enqueueAll(List.of(PLAIN, PLAIN)).stream().map(EnqueueResult::id).toList()),

		STREAM((queue) -> {
			List<Long> ids = new ArrayList<>();
			queue.enqueueAll(Stream.of(PLAIN, PLAIN, PLAIN), (result) -> ids.add(result.id()));
			return ids;
		}),

		FLOW((queue) -> List.of(queue.enqueue(Flow.named("flow").job("only", PLAIN)).jobId("only")));

		private final Function<JobQueue, List<Long>> enqueue;

		Enqueue(Function<JobQueue, List<Long>> enqueue) {
			this.enqueue = enqueue;
		}

	}

}
