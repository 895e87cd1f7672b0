package io.pgqueue.worker;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.pgqueue.JobContext;
import io.pgqueue.JobRequest;
import io.pgqueue.schema.SchemaName;
import io.pgqueue.store.WorkerStore;
import io.pgqueue.testing.Engine;
import io.pgqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Workers start, stop, are given up and lose their connections while jobs succeed and
 * fail at random, and a ledger knows of every attempt.
 */
class RandomRunTests {

	private static final Logger logger = LoggerFactory.getLogger(RandomRunTests.class);

	private static final int JOBS = 3000;

	private static final int MAX_ATTEMPTS = 4;

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	private final Map<Long, ConcurrentLinkedQueue<Entry>> ledger = new ConcurrentHashMap<>();

	private final Set<Long> committed = new HashSet<>();

	private final Deque<TestProcess> processes = new ArrayDeque<>();

	@Test
	void losesNothingAndEndsEveryJobOnce() {
		long seed = Long.getLong("queue.test.seed", ThreadLocalRandom.current().nextLong());
		logger.info("Seed of this run: -Dqueue.test.seed={}", seed);
		Random random = new Random(seed);
		WorkerStore others = new WorkerStore(this.engine.jdbc(), SchemaName.DEFAULT);
		startProcess(random);
		startProcess(random);
		for (int enqueued = 0; enqueued < JOBS; enqueued += 100) {
			enqueue(random, 100);
			switch (random.nextInt(6)) {
				case 0 -> stopProcess();
				case 1 -> startProcess(random);
				case 2 -> this.engine.terminateAllSessions();
				case 3 -> {
					this.engine.jdbc()
						.update("update queue.worker set dead_at = now() where dead_at is null and id % 2 = ?",
								random.nextInt(2));
					others.recover(MAX_ATTEMPTS, 10_000);
				}
				default -> {
					long some = enqueued / 2;
					await().until(() -> this.engine.number("select count(*) from queue.job_finished") >= some / 2);
				}
			}
			assertThatKeysAreUnique();
		}
		startProcess(random);
		await("all jobs are over").until(() -> {
			others.recover(MAX_ATTEMPTS, 10_000);
			return this.engine.number("select count(*) from queue.job where state <> 'failed'") == 0;
		});
		while (!this.processes.isEmpty()) {
			stopProcess();
		}
		check(seed);
	}

	private void startProcess(Random random) {
		this.processes.add(this.engine.process()
			.concurrency(1 + random.nextInt(5))
			.prefetch(random.nextInt(50))
			.maxAttempts(MAX_ATTEMPTS)
			.shutdownTimeout(Duration.ofMillis(random.nextInt(500)))
			.withMaintenance()
			.handle("test", this::run)
			.start());
	}

	private void stopProcess() {
		TestProcess process = this.processes.poll();
		if (process != null) {
			process.stop();
		}
	}

	private void enqueue(Random random, int count) {
		for (int i = 0; i < count; i++) {
			JobRequest request = JobRequest.of("test", (random.nextInt(5) == 0) ? "fail" : "work")
				.queue("queue " + random.nextInt(3))
				.priority(random.nextInt(3));
			JobRequest keyed = (random.nextInt(10) == 0) ? request.uniqueKey("key " + random.nextInt(5)) : request;
			JobRequest delayed = (random.nextInt(10) == 0) ? keyed.delay(Duration.ofMillis(50)) : keyed;
			await().ignoreExceptions().until(() -> this.committed.add(this.engine.enqueue(delayed)) || true);
		}
	}

	private void run(String payload, JobContext context) throws InterruptedException {
		this.ledger.computeIfAbsent(context.id(), (id) -> new ConcurrentLinkedQueue<>())
			.add(new Entry(context.leaseToken(), context.attempt()));
		if (ThreadLocalRandom.current().nextInt(50) == 0) {
			new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
		}
		if ("fail".equals(payload)) {
			throw new IllegalStateException("as planned");
		}
	}

	/** Invariant 3. */
	private void assertThatKeysAreUnique() {
		assertThat(this.engine.jdbc()
			.queryForList("select unique_key from queue.job where unique_key is not null and state <> 'failed'"
					+ " group by unique_key having count(*) > 1"))
			.isEmpty();
	}

	private void check(long seed) {
		List<Long> succeeded = ids("select id from queue.job_finished");
		List<Long> failed = ids("select id from queue.job where state = 'failed'");
		// invariant 1: every committed job is in exactly one place
		assertThat(succeeded).as("seed %d", seed).doesNotHaveDuplicates().doesNotContainAnyElementsOf(failed);
		Set<Long> over = new HashSet<>(succeeded);
		over.addAll(failed);
		assertThat(over).as("seed %d", seed).containsAll(this.committed);
		assertThat(this.ledger.keySet()).as("seed %d", seed).containsAll(succeeded);
		// invariant 2: a lease was given once
		assertThat(this.ledger.entrySet()).as("seed %d", seed).allSatisfy((job) -> {
			List<Integer> tokens = job.getValue().stream().map(Entry::token).toList();
			assertThat(tokens).doesNotHaveDuplicates();
			assertThat(job.getValue()).allMatch((entry) -> entry.attempt() <= MAX_ATTEMPTS);
		});
		assertThat(this.engine.number("select count(*) from queue.job where worker_id is not null")).isZero();
		assertThat(ids("select id from queue.job_finished where payload::text = '\"fail\"'")).as("seed %d", seed)
			.isEmpty();
	}

	private List<Long> ids(String sql) {
		return this.engine.jdbc().queryForList(sql, Long.class);
	}

	private record Entry(int token, int attempt) {

	}

}
