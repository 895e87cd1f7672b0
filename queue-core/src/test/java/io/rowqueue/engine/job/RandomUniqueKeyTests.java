package io.rowqueue.engine.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.postgres.Dose;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.Seed;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many who replace, and workers that succeed, fail and hand back, all at once: one job of
 * a key runs at a time, and the latest payload that was committed is the last that runs.
 */
@Timeout(300)
class RandomUniqueKeyTests {

	private static final int KEYS = 4;

	private static final int ROUNDS = Dose.of(30, 150);

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long seed = Seed.of(this);

	private final Map<String, String> committed = new ConcurrentHashMap<>();

	private final Map<String, String> lastRun = new ConcurrentHashMap<>();

	private final Map<String, Long> running = new ConcurrentHashMap<>();

	private final List<String> overlaps = new ArrayList<>();

	private final AtomicBoolean over = new AtomicBoolean();

	@Test
	void theLatestPayloadIsTheLastThatRuns() {
		List<Future<?>> producers = new ArrayList<>();
		for (int key = 0; key < KEYS; key++) {
			String name = "key-" + key;
			Random random = new Random(this.seed + key);
			producers.add(database.async(() -> produce(name, random)));
		}
		List<Future<?>> workers = new ArrayList<>();
		for (int i = 0; i < 2; i++) {
			Random random = new Random(this.seed - 1 - i);
			workers.add(database.async(() -> work(random)));
		}
		producers.forEach(StoreDatabase::result);
		this.over.set(true);
		workers.forEach(StoreDatabase::result);
		assertThat(this.overlaps).isEmpty();
		assertThat(this.lastRun).as("seed %d", this.seed).isEqualTo(this.committed);
	}

	private Void produce(String key, Random random) throws Exception {
		for (int i = 0; i < ROUNDS; i++) {
			String payload = String.valueOf(i);
			try (OpenTransaction transaction = database.begin()) {
				JobRequest request = JobRequest.of(key).uniqueKey(key).duplicates(DuplicatePolicy.replace());
				Outcome outcome = transaction.jobs().enqueue(List.of(NewJobs.of(request, payload))).get(0).outcome();
				assertThat(outcome).isIn(Outcome.CREATED, Outcome.REPLACED, Outcome.FOLLOW_UP);
				if (random.nextInt(4) > 0) {
					transaction.commit();
					this.committed.put(key, payload);
				}
			}
		}
		return null;
	}

	private Void work(Random random) {
		long worker = database.worker();
		boolean idle = false;
		while (!this.over.get() || !idle) {
			boolean producersAreDone = this.over.get();
			database.maintenance().followUp(10);
			database.maintenance().promoteAll(10);
			List<ClaimedJob> jobs = database.claim(worker, 2);
			jobs.forEach(this::begin);
			jobs.forEach((job) -> end(worker, job, random.nextInt(6)));
			idle = producersAreDone && waiting() == 0;
		}
		return null;
	}

	private void begin(ClaimedJob job) {
		if (this.running.putIfAbsent(job.type(), job.lease().jobId()) != null) {
			synchronized (this.overlaps) {
				this.overlaps.add(job.toString());
			}
		}
	}

	private void end(long worker, ClaimedJob job, int chance) {
		this.running.remove(job.type(), job.lease().jobId());
		switch (chance) {
			case 0 -> database.jobs().outcomes().release(worker, List.of(job.lease()));
			case 1 ->
				database.jobs().outcomes().fail(worker, List.of(new Failure(job.lease(), "error", Duration.ZERO)));
			default -> {
				this.lastRun.put(job.type(), job.payload());
				database.jobs().succeed(worker, List.of(job.lease()));
			}
		}
	}

	private static int waiting() {
		return database.query(
				"select (select count(*) from {schema}.job) + (select count(*) from {schema}.job_follow_up)",
				Integer.class);
	}

}
