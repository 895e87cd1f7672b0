package io.rowqueue.engine.shard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.EnqueueResult;
import io.rowqueue.JobContext;
import io.rowqueue.JobRequest;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.postgres.Dose;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Seed;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.Transactions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Jobs are enqueued and run in three databases while buckets are moved between them, and
 * movers die after any step. A third of the enqueues, also with keys, are in transactions
 * of any of the three, and some jobs have waited for long before they move. A ledger
 * shows that nothing is lost and nothing runs twice. Jobs whose key is enqueued outside
 * of transactions only never run at once nor wait in two shards, and those of an ordered
 * key run in the order in which they were enqueued.
 */
class RandomShardRunTests {

	private static final int JOBS = Dose.of(80, 1200);

	private static final int KEYS = 12;

	private static final String ORDERED = "ordered:";

	private static final String SHARED = "shared ";

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

	/** The jobs of an ordered key, in the order in which they were enqueued. */
	private final Map<String, List<Long>> enqueued = new ConcurrentHashMap<>();

	/** The jobs of an ordered key, in the order in which they have begun. */
	private final Map<String, List<Long>> begun = new ConcurrentHashMap<>();

	private final Queue<String> fouls = new ConcurrentLinkedQueue<>();

	private final AtomicInteger moved = new AtomicInteger();

	private final AtomicInteger deaths = new AtomicInteger();

	private final AtomicInteger held = new AtomicInteger();

	@BeforeEach
	void limits() {
		this.shards.engines()
			.forEach((engine) -> engine.limits()
				.set(LimitKind.KEY, "ordered", Limit.concurrency(1).ordered(true), true));
	}

	@Test
	void movesUnderLoadLoseNothingAndRunNothingTwice() throws Exception {
		AtomicBoolean stop = new AtomicBoolean();
		List<TestProcess> processes = this.shards.engines()
			.stream()
			.map((engine) -> engine.process().withMaintenance().concurrency(4).handle("test", this::run).start())
			.toList();
		CompletableFuture<?> moving = Async.run(() -> move(new Random(this.seed), stop));
		CompletableFuture<?> resuming = Async.run(() -> resume(stop));
		CompletableFuture<?> ageing = Async.run(() -> age(stop));
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
		CompletableFuture.allOf(moving, resuming, ageing).get();
		this.moves.resume();
		await("all jobs have ended").until(() -> this.shards.engines()
			.stream()
			.allMatch((engine) -> engine.jobs() + engine.count("job_follow_up") == 0));
		processes.forEach(TestProcess::stop);
		assertThat(this.fouls).as("seed %d", this.seed).isEmpty();
		assertThat(this.ended).as("seed %d", this.seed).containsExactlyInAnyOrderElementsOf(this.created);
		assertThat(finished()).as("seed %d", this.seed).containsExactlyInAnyOrderElementsOf(this.created);
		assertThat(this.begun).as("seed %d", this.seed).isEqualTo(this.enqueued);
	}

	private List<Long> finished() {
		return this.shards.engines()
			.stream()
			.map((engine) -> engine.jdbc().queryForList("select id from rowqueue.job_finished", Long.class))
			.flatMap(List::stream)
			.toList();
	}

	private void run(String key, JobContext job) {
		if (key.startsWith(ORDERED)) {
			this.begun.computeIfAbsent(key, (any) -> new CopyOnWriteArrayList<>()).add(job.id());
		}
		if (!key.isEmpty() && !key.startsWith(SHARED)) {
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
			String key = random.nextInt(KEYS) * 3 + thread + "";
			switch (random.nextInt(9)) {
				case 0, 1 -> created(this.shards.queue().enqueue("test", ""));
				case 2 ->
					enqueueInTransaction(this.shards.shard(random.nextInt(3)), random.nextInt(5) == 0, request(""));
				case 3, 4 ->
					enqueueInTransaction(this.shards.shard(random.nextInt(3)), random.nextInt(5) == 0, shared(random));
				case 5 -> enqueueShared(random);
				case 6 -> enqueueOrdered(ORDERED + key);
				default -> enqueueWithKey("key " + key, random);
			}
		}
	}

	private static JobRequest request(String key) {
		return JobRequest.of("test", key);
	}

	/** Any thread enqueues it, also in transactions: it is unique in each database. */
	private static JobRequest shared(Random random) {
		String key = SHARED + random.nextInt(KEYS);
		JobRequest request = request(key).uniqueKey(key);
		return (random.nextInt(3) == 0) ? request.duplicates(DuplicatePolicy.runAgain()) : request;
	}

	private void enqueueShared(Random random) {
		createdIfNew(this.shards.queue().enqueue(shared(random)));
	}

	private void enqueueOrdered(String key) {
		for (int i = 0; i < 4; i++) {
			EnqueueResult result = this.shards.queue().enqueue(request(key).limitKey(key));
			this.enqueued.computeIfAbsent(key, (any) -> new CopyOnWriteArrayList<>()).add(result.id());
			created(result);
		}
	}

	private void enqueueInTransaction(QueueShard shard, boolean rollBack, JobRequest request) {
		TransactionTemplate transaction = Transactions.template(shard.dataSource());
		EnqueueResult result = Objects.requireNonNull(transaction.execute((status) -> {
			if (rollBack) {
				status.setRollbackOnly();
			}
			EnqueueResult enqueued = this.shards.queue().enqueue(request);
			if (this.held.incrementAndGet() % 4 == 0) {
				// arriving jobs meet a key that is taken and not committed
				await().pollDelay(Duration.ofMillis(20)).until(() -> true);
			}
			return enqueued;
		}));
		if (isNew(result) && result.id() % 1024 != shard.number()) {
			this.fouls.add("Job %d is not in the transaction's %s".formatted(result.id(), shard));
		}
		if (!rollBack) {
			createdIfNew(result);
		}
	}

	private void createdIfNew(EnqueueResult result) {
		if (isNew(result)) {
			created(result);
		}
	}

	private static boolean isNew(EnqueueResult result) {
		return result.outcome() == Outcome.CREATED || result.outcome() == Outcome.FOLLOW_UP;
	}

	private void enqueueWithKey(String key, Random random) {
		JobRequest request = request(key);
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
		List<Integer> buckets = IntStream.range(0, KEYS * 3)
			.boxed()
			.flatMap((key) -> Stream.of("key " + key, ORDERED + key, SHARED + key % KEYS))
			.map(Buckets::of)
			.distinct()
			.toList();
		while (!stop.get()) {
			int bucket = buckets.get(random.nextInt(buckets.size()));
			QueueShard from = this.shards.group().byNumber(this.shards.group().owner(bucket)).orElseThrow();
			QueueShard to = this.shards.shard(random.nextInt(3));
			if (from != to) {
				// one, or all that are there: their rows arrive together
				List<Integer> some = (random.nextInt(3) > 0) ? List.of(bucket)
						: buckets.stream().filter((each) -> this.shards.group().owner(each) == from.number()).toList();
				move(from, to, some, random.nextInt(8));
			}
		}
	}

	/** Dies after a step, or completes the move. */
	private void move(QueueShard from, QueueShard to, List<Integer> buckets, int steps) {
		try {
			List<Integer> released = from.handovers().releaseBuckets(buckets, to.number());
			if (released.isEmpty()) {
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
					.filter((handover) -> handover.buckets().contains(released.get(0)))
					.forEach((handover) -> to.handovers()
						.receive(from.number(), handover, (after) -> from.handovers().rows(handover.batch(), after)));
				return;
			}
			this.moves.resume();
		}
		catch (ConcurrencyFailureException ex) {
			// another mover was first, or the bucket is still leaving its new shard
		}
	}

	/**
	 * All jobs of an ordered key that have not begun have waited for longer. Keys of
	 * which a job is leased or under way to another shard are left out: it would become
	 * younger than those behind it.
	 */
	private void age(AtomicBoolean stop) {
		while (!stop.get()) {
			for (int number = 0; number < 3; number++) {
				DataSource dataSource = this.shards.shard(number).dataSource();
				Transactions.template(dataSource).executeWithoutResult((status) -> age(new JdbcTemplate(dataSource)));
			}
			await().pollDelay(Duration.ofMillis(500)).until(() -> true);
		}
	}

	private void age(JdbcTemplate jdbc) {
		Map<String, Set<Long>> waiting = new HashMap<>();
		jdbc.query("""
				select id, limit_key from rowqueue.job
				where starts_with(limit_key, 'ordered:') and worker_id is null order by id for update""", (row) -> {
			waiting.computeIfAbsent(row.getString("limit_key"), (key) -> new TreeSet<>()).add(row.getLong("id"));
		});
		waiting.entrySet().removeIf((key) -> !key.getValue().containsAll(notBegun(key.getKey())));
		String ids = waiting.values()
			.stream()
			.flatMap(Set::stream)
			.map(String::valueOf)
			.collect(Collectors.joining(","));
		jdbc.update("""
				update rowqueue.job set run_at = run_at - interval '20 s', order_at = order_at - interval '20 s'
				where id = any (?::bigint[])""", "{" + ids + "}");
	}

	private List<Long> notBegun(String key) {
		List<Long> jobs = new ArrayList<>(this.enqueued.getOrDefault(key, List.of()));
		jobs.removeAll(this.begun.getOrDefault(key, List.of()));
		return jobs;
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
