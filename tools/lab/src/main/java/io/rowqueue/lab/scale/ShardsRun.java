package io.rowqueue.lab.scale;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.lab.Sql;
import io.rowqueue.lab.scale.ScaleServer.Usage;
import io.rowqueue.postgres.Database;
import io.rowqueue.shard.Shards;

/**
 * What an idle shard costs, how long an enqueue waits for a move, and what the move
 * leaves behind.
 */
final class ShardsRun {

	private static final String DEAD = """
			select coalesce(sum(n_dead_tup), 0) from pg_stat_user_tables
			where schemaname = 'rowqueue' and relname in ('job', 'shard_handover_row')""";

	private static final int KEYS = 5000;

	private static final int THREADS = 8;

	private final ScaleServer server;

	private final Consumer<String> report;

	ShardsRun(ScaleServer server, Consumer<String> report) {
		this.server = server;
		this.report = report;
	}

	/** One process with one to three shards that have no jobs. */
	void idle(Duration time) throws Exception {
		for (int shards = 1; shards <= 3; shards++) {
			try (Instance instance = Instance.start(this.server.createDatabase(), further(shards - 1))) {
				Thread.sleep(Math.min(time.toMillis(), 5000)); // it has started
				Usage begin = this.server.usage();
				Thread.sleep(time.toMillis());
				Usage used = this.server.usage().since(begin);
				this.report.accept(
						"an idle process with %d shards: %,.0f transactions a minute, server %.2f %%, process %.2f %% of a core"
							.formatted(shards, used.transactions() / used.seconds() * 60,
									used.server() / used.seconds() * 100, used.client() / used.seconds() * 100));
			}
		}
	}

	private Map<String, Object> further(int shards) throws SQLException {
		Map<String, Object> properties = new HashMap<>();
		for (int shard = 0; shard < shards; shard++) {
			properties.putAll(Instance.shard("s" + shard, this.server.createDatabase()));
		}
		return properties;
	}

	/** Single jobs without keys, in one database and in two. */
	void enqueue(int jobs) throws Exception {
		for (int shards = 1; shards <= 2; shards++) {
			Map<String, Object> properties = further(shards - 1);
			properties.put("rowqueue.worker.enabled", "false");
			try (Instance instance = Instance.start(this.server.createDatabase(), properties)) {
				JobQueue queue = instance.bean(JobQueue.class);
				enqueueSingly(queue, jobs / 2);
				this.server.settle();
				Usage begin = this.server.usage();
				enqueueSingly(queue, jobs);
				this.report.accept("single jobs enqueued by %d threads with %d shards: %s".formatted(THREADS, shards,
						this.server.usage().since(begin).each(jobs)));
			}
		}
	}

	private static void enqueueSingly(JobQueue queue, int jobs) throws InterruptedException {
		List<Thread> threads = IntStream.range(0, THREADS)
			.mapToObj((number) -> new Thread(
					() -> IntStream.range(0, jobs / THREADS).forEach((job) -> queue.enqueue(Instance.request()))))
			.toList();
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
	}

	/** Moves all buckets of a shard with jobs that wait, while others are enqueued. */
	void move(int waiting) throws Exception {
		Database home = this.server.createDatabase();
		Map<String, Object> properties = new HashMap<>(Instance.shard("eu", this.server.createDatabase()));
		properties.put("rowqueue.worker.enabled", "false");
		try (Instance instance = Instance.start(home, properties)) {
			JobQueue queue = instance.bean(JobQueue.class);
			Shards shards = instance.bean(Shards.class);
			fill(shards.queue("home"), waiting);
			double before = Sql.number(home, DEAD);
			AtomicBoolean stop = new AtomicBoolean();
			AtomicLong longest = new AtomicLong();
			AtomicLong enqueued = new AtomicLong();
			List<Thread> threads = IntStream.range(0, 4)
				.mapToObj((number) -> new Thread(() -> enqueue(queue, number, stop, longest, enqueued)))
				.toList();
			threads.forEach(Thread::start);
			long begin = System.nanoTime();
			int moved = shards.move("home", "eu", 2048);
			double seconds = (System.nanoTime() - begin) / 1e9;
			stop.set(true);
			for (Thread thread : threads) {
				thread.join();
			}
			double dead = deadRows(home);
			this.report.accept(
					"a move of %d buckets of a shard with %,d waiting jobs: %.1f s; longest of %,d enqueues meanwhile %d ms; dead rows at the source %,.0f before, %,.0f after"
						.formatted(moved, waiting, seconds, enqueued.get(), longest.get() / 1_000_000, before, dead));
			Sql.execute(home, "vacuum rowqueue.job");
			this.report.accept("dead rows after a vacuum of the table of jobs: %,.0f".formatted(deadRows(home)));
		}
	}

	/** A session reports what it has done when it is idle, or ends. */
	private static double deadRows(Database database) throws SQLException, InterruptedException {
		Thread.sleep(1500);
		return Sql.number(database, DEAD);
	}

	private static void fill(JobQueue home, int waiting) {
		List<JobRequest> requests = new ArrayList<>();
		for (int i = 0; i < waiting; i++) {
			requests.add(Instance.request().uniqueKey("waiting " + i).delay(Duration.ofDays(1)));
			if (requests.size() == 1000 || i == waiting - 1) {
				home.enqueueAll(requests);
				requests.clear();
			}
		}
	}

	private static void enqueue(JobQueue queue, int thread, AtomicBoolean stop, AtomicLong longest,
			AtomicLong enqueued) {
		for (int i = 0; !stop.get(); i++) {
			long begin = System.nanoTime();
			queue.enqueue(Instance.request().uniqueKey("key " + thread + " " + i % KEYS));
			long time = System.nanoTime() - begin;
			longest.accumulateAndGet(time, Math::max);
			enqueued.incrementAndGet();
		}
	}

}
