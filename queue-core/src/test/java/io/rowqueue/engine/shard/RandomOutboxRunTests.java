package io.rowqueue.engine.shard;

import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.rowqueue.EnqueueResult;
import io.rowqueue.JobContext;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.shard.HandoverStore.Handover;
import io.rowqueue.shard.Shard;
import io.rowqueue.shard.ShardRole;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Seed;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.Transactions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Jobs are enqueued in an outbox while relays die after any step, the sessions of any
 * database are cut off, and keys are moved. A ledger shows that nothing is lost, and
 * nothing runs twice.
 */
class RandomOutboxRunTests {

	private static final int JOBS = 400;

	private static final String CUT = "select pg_terminate_backend(pid) from pg_stat_activity"
			+ " where datname = current_database() and pid <> pg_backend_pid()"
			+ " and (query like '%handover%' or query like '%release_outbox%')";

	private final long seed = Seed.of(this);

	@AutoClose
	private final TestShards shards = new TestShards(ShardRole.OUTBOX);

	private final QueueShard outbox = this.shards.shard(2);

	private final ShardMoves moves = new ShardMoves(this.shards.group());

	private final OutboxRelay relay = new OutboxRelay(this.shards.group());

	private final Set<Long> enqueued = ConcurrentHashMap.newKeySet();

	private final Set<Long> ended = ConcurrentHashMap.newKeySet();

	private final Queue<String> fouls = new ConcurrentLinkedQueue<>();

	private final AtomicInteger deaths = new AtomicInteger();

	@Test
	void relaysThatDieLoseNothingAndRunNothingTwice() throws Exception {
		AtomicBoolean stop = new AtomicBoolean();
		List<TestProcess> processes = IntStream.range(0, 2)
			.mapToObj((shard) -> this.shards.engine(shard)
				.process()
				.withMaintenance()
				.concurrency(4)
				.handle("test", this::run)
				.start())
			.toList();
		CompletableFuture<?> others = CompletableFuture.allOf(Async.run(() -> relay(new Random(this.seed), stop)),
				Async.run(() -> relay(new Random(this.seed + 1), stop)),
				Async.run(() -> cut(new Random(this.seed + 2), stop)));
		try {
			CompletableFuture
				.allOf(IntStream.range(0, 3)
					.mapToObj((thread) -> Async.run(() -> enqueue(thread, new Random(this.seed + 10 + thread))))
					.toArray(CompletableFuture[]::new))
				.get();
			await().until(() -> this.deaths.get() > 0);
		}
		finally {
			stop.set(true);
		}
		others.get();
		await("all jobs have ended").until(() -> {
			attempt(this.moves::resume);
			attempt(this.relay::relay);
			return this.ended.containsAll(this.enqueued)
					&& this.shards.engines().stream().allMatch((engine) -> engine.jobs() == 0);
		});
		processes.forEach(TestProcess::stop);
		assertThat(this.fouls).as("seed %d", this.seed).isEmpty();
		assertThat(this.ended).as("seed %d", this.seed).containsExactlyInAnyOrderElementsOf(this.enqueued);
	}

	private void run(String payload, JobContext job) {
		if (!this.ended.add(job.id())) {
			this.fouls.add("Job %d has run twice".formatted(job.id()));
		}
	}

	private void enqueue(int thread, Random random) {
		TransactionTemplate transaction = Transactions.template(this.outbox.dataSource());
		for (int i = 0; i < JOBS / 3; i++) {
			JobRequest request = switch (random.nextInt(3)) {
				case 0 -> JobRequest.of("test", "plain");
				case 1 -> JobRequest.of("test", "unique").uniqueKey("%d of %d".formatted(i, thread));
				default -> JobRequest.of("test", "limited").limitKey("key " + random.nextInt(20));
			};
			boolean rollBack = random.nextInt(5) == 0;
			EnqueueResult result = transaction.execute((status) -> {
				if (rollBack) {
					status.setRollbackOnly();
				}
				return this.shards.queue().enqueue(request);
			});
			if (!rollBack && result != null) {
				this.enqueued.add(result.id());
			}
		}
	}

	/** Relays, or dies after a step. */
	private void relay(Random random, AtomicBoolean stop) {
		while (!stop.get()) {
			switch (random.nextInt(4)) {
				case 0 -> attempt(() -> release(random));
				case 1 -> attempt(() -> receive(random));
				case 2 -> attempt(() -> move(random.nextInt(2)));
				default -> attempt(() -> {
					this.moves.resume();
					this.relay.relay();
				});
			}
		}
	}

	private void move(int from) {
		this.moves.moveBuckets(this.shards.shard(from), this.shards.shard(1 - from), 64);
	}

	private void release(Random random) {
		List<Integer> owners = IntStream.range(0, Shard.BUCKETS).mapToObj(this.shards.group()::owner).toList();
		this.outbox.handovers().releaseOutbox(10, owners, this.shards.shard(random.nextInt(2)).number());
		this.deaths.incrementAndGet();
	}

	private void receive(Random random) {
		List<Handover> open = this.outbox.handovers().open(List.of());
		if (!open.isEmpty()) {
			Handover handover = open.get(random.nextInt(open.size()));
			this.shards.group()
				.byNumber(handover.target())
				.orElseThrow()
				.handovers()
				.receive(this.outbox.number(), handover,
						(after) -> this.outbox.handovers().rows(handover.batch(), after));
			this.deaths.incrementAndGet();
		}
	}

	/** Cuts off what passes jobs on. */
	private void cut(Random random, AtomicBoolean stop) {
		while (!stop.get()) {
			this.shards.engine(random.nextInt(3)).jdbc().queryForList(CUT);
			Thread.onSpinWait();
		}
	}

	private static void attempt(Runnable work) {
		try {
			work.run();
		}
		catch (DataAccessException | TransactionException ex) {
			// its session was cut off, or a bucket is just being moved: another time
		}
	}

}
