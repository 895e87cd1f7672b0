package io.pgqueue.engine.shard;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.pgqueue.EnqueueResult;
import io.pgqueue.EnqueueResult.Outcome;
import io.pgqueue.JobContext;
import io.pgqueue.JobRequest;
import io.pgqueue.testing.Async;
import io.pgqueue.testing.Seed;
import io.pgqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Jobs are enqueued and run in three databases while buckets are moved between them, and
 * movers die after any step. A ledger shows that nothing is lost, nothing runs twice, and
 * jobs with the same key never run at once nor wait in two shards.
 */
class RandomShardRunTests {

	private static final int JOBS = 1200;

	private static final int KEYS = 12;

	private final long seed = Seed.of(this);

	@AutoClose
	private final TestShards shards = new TestShards();

	private final ShardMoves moves = new ShardMoves(this.shards.group());

	private final Set<Long> created = ConcurrentHashMap.newKeySet();

	private final Set<Long> ended = ConcurrentHashMap.newKeySet();

	/** The job that runs, by key. */
	private final Map<String, Long> running = new ConcurrentHashMap<>();

	/** The latest job, by key. Each key is enqueued by one thread. */
	private final Map<String, Long> latest = new ConcurrentHashMap<>();

	private final Queue<String> fouls = new ConcurrentLinkedQueue<>();

	private final AtomicInteger moved = new AtomicInteger();

	private final AtomicInteger deaths = new AtomicInteger();

	@Test
	void movesUnderLoadLoseNothingAndRunNothingTwice() throws Exception {
		AtomicBoolean stop = new AtomicBoolean();
		List<TestProcess> processes = this.shards.engines()
			.stream()
			.map((engine) -> engine.process().withMaintenance().concurrency(4).handle("test", this::run).start())
			.toList();
		CompletableFuture<?> moving = Async.run(() -> move(new Random(this.seed), stop));
		CompletableFuture<?> resuming = Async.run(() -> resume(stop));
		try {
			CompletableFuture
				.allOf(IntStream.range(0, 3)
					.mapToObj((thread) -> Async.run(() -> enqueue(thread, new Random(this.seed + thread))))
					.toArray(CompletableFuture[]::new))
				.get();
			await("some movers have died, and others have not")
				.until(() -> this.deaths.get() > 0 && this.moved.get() > this.deaths.get());
		}
		finally {
			stop.set(true);
		}
		CompletableFuture.allOf(moving, resuming).get();
		this.moves.resume();
		await("all jobs have ended")
			.until(() -> this.shards.engines().stream().allMatch((engine) -> engine.jobs() == 0));
		processes.forEach(TestProcess::stop);
		assertThat(this.fouls).as("seed %d", this.seed).isEmpty();
		assertThat(this.ended).as("seed %d", this.seed).containsExactlyInAnyOrderElementsOf(this.created);
		assertThat(finished()).as("seed %d", this.seed).containsExactlyInAnyOrderElementsOf(this.created);
	}

	private List<Long> finished() {
		return this.shards.engines()
			.stream()
			.map((engine) -> engine.jdbc().queryForList("select id from pgqueue.job_finished", Long.class))
			.flatMap(List::stream)
			.toList();
	}

	private void run(String key, JobContext job) {
		if (!key.isEmpty()) {
			Long other = this.running.putIfAbsent(key, job.id());
			if (other != null) {
				this.fouls.add("Jobs %d and %d of %s run at once".formatted(other, job.id(), key));
			}
		}
		if (!this.ended.add(job.id())) {
			this.fouls.add("Job %d has run twice".formatted(job.id()));
		}
		this.running.remove(key, job.id());
	}

	private void enqueue(int thread, Random random) {
		for (int i = 0; i < JOBS / 3; i++) {
			switch (random.nextInt(3)) {
				case 0 -> created(this.shards.queue().enqueue("test", ""));
				case 1 -> enqueueInTransaction(this.shards.shard(random.nextInt(3)), random.nextInt(5) == 0);
				default -> enqueueWithKey("key " + (random.nextInt(KEYS) * 3 + thread), random);
			}
		}
	}

	private void enqueueInTransaction(QueueShard shard, boolean rollBack) {
		TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(shard.dataSource()));
		EnqueueResult result = Objects.requireNonNull(transaction.execute((status) -> {
			if (rollBack) {
				status.setRollbackOnly();
			}
			return this.shards.queue().enqueue("test", "");
		}));
		if (result.id() % 1024 != shard.number()) {
			this.fouls.add("Job %d is not in the transaction's %s".formatted(result.id(), shard));
		}
		if (!rollBack) {
			created(result);
		}
	}

	private void enqueueWithKey(String key, Random random) {
		JobRequest request = JobRequest.of("test", key);
		JobRequest keyed = (key.hashCode() % 2 == 0) ? request.uniqueKey(key) : request.limitKey(key);
		EnqueueResult result = this.shards.queue()
			.enqueue((random.nextInt(3) == 0) ? keyed.delay(Duration.ofMillis(random.nextInt(200))) : keyed);
		if (result.outcome() == Outcome.CREATED) {
			created(result);
			Long before = this.latest.put(key, result.id());
			if (before != null && keyed.unique() != null && !this.ended.contains(before)) {
				this.fouls.add("Jobs %d and %d of %s wait at once".formatted(before, result.id(), key));
			}
		}
		else if (!Objects.equals(this.latest.get(key), result.id())) {
			this.fouls.add("%s was kept for job %d, not for %s".formatted(key, result.id(), this.latest.get(key)));
		}
	}

	private void created(EnqueueResult result) {
		if (!this.created.add(result.id())) {
			this.fouls.add("Two jobs have the id " + result.id());
		}
	}

	private void move(Random random, AtomicBoolean stop) {
		List<Integer> buckets = IntStream.range(0, KEYS * 3).mapToObj((key) -> Buckets.of("key " + key)).toList();
		while (!stop.get()) {
			int bucket = buckets.get(random.nextInt(buckets.size()));
			QueueShard from = this.shards.group().byNumber(this.shards.group().owner(bucket)).orElseThrow();
			QueueShard to = this.shards.shard(random.nextInt(3));
			if (from != to) {
				move(from, to, bucket, random.nextInt(8));
			}
		}
	}

	/** Dies after a step, or completes the move. */
	private void move(QueueShard from, QueueShard to, int bucket, int steps) {
		try {
			if (from.handovers().releaseBuckets(List.of(bucket), to.number()).isEmpty()) {
				return;
			}
			this.moved.incrementAndGet();
			if (steps == 0) {
				this.deaths.incrementAndGet();
				return;
			}
			if (steps == 1) {
				this.deaths.incrementAndGet();
				from.handovers()
					.open(List.of())
					.stream()
					.filter((handover) -> handover.buckets().contains(bucket))
					.forEach((handover) -> to.handovers()
						.receive(from.number(), handover, (after) -> from.handovers().rows(handover.batch(), after)));
				return;
			}
			this.moves.resume();
		}
		catch (ConcurrencyFailureException ex) {
			// jobs of the bucket were claimed meanwhile: another time
		}
		catch (DataAccessException ex) {
			if (!String.valueOf(ex.getMessage()).contains("is still leaving")) {
				throw ex;
			}
		}
	}

	private void resume(AtomicBoolean stop) {
		while (!stop.get()) {
			try {
				this.moves.resume();
			}
			catch (DataAccessException ex) {
				// the bucket is still leaving its new shard, or another mover was first
			}
			await().pollDelay(Duration.ofMillis(100)).until(() -> true);
		}
	}

}
