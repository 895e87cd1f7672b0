package io.rowqueue.engine.control;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.rowqueue.JobRequest;
import io.rowqueue.control.EraseResult;
import io.rowqueue.control.JobControl;
import io.rowqueue.engine.job.NewJob;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.lease.LogPart;
import io.rowqueue.engine.lease.ProgressReport;
import io.rowqueue.engine.signal.SignalStore;
import io.rowqueue.engine.signal.Wait;
import io.rowqueue.engine.signal.WaitStore;
import io.rowqueue.postgres.Dose;
import io.rowqueue.step.JobWait.Kind;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.Seed;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Jobs are erased while workers run them, die, and write about jobs that they have lost:
 * nothing of an erased job remains or comes back, and no other job is lost.
 */
class RandomEraseTests {

	private static final int JOBS = Dose.of(60, 200);

	private static final int WORKERS = 3;

	private static final List<String> TABLES = List.of("job", "job_finished", "job_failure", "job_progress", "job_step",
			"job_result", "job_tag", "job_expiry", "job_on_failure", "job_signal", "job_wait", "job_log", "taken_key");

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long seed = Seed.of(this);

	/** The jobs that a worker has had. */
	private final Set<Long> claimed = ConcurrentHashMap.newKeySet();

	private final JobControl control = database.jobs().control(database.jobs().wakeUps());

	private final WaitStore waits = new WaitStore(database.queueDatabase());

	private final SignalStore signals = new SignalStore(database.queueDatabase());

	@Test
	void nothingOfAnErasedJobRemainsOrComesBack() {
		List<Long> ids = database.jobs()
			.enqueue(IntStream.range(0, JOBS).mapToObj(RandomEraseTests::job).toList())
			.stream()
			.map((result) -> result.id())
			.toList();
		Set<Long> erased = ids.stream().filter((id) -> id % 3 == 0).collect(Collectors.toSet());
		List<Future<Integer>> workers = IntStream.range(0, WORKERS)
			.mapToObj((i) -> database.async(() -> work(new Random(this.seed + i))))
			.toList();
		Future<Integer> eraser = database.async(() -> erase(erased));
		workers.forEach(StoreDatabase::result);
		assertThat(StoreDatabase.result(eraser)).as("seed %d", this.seed).isEqualTo(erased.size());
		assertThat(TABLES).allSatisfy((table) -> assertThat(ids(table)).as("%s, seed %d", table, this.seed)
			.doesNotContainAnyElementsOf(erased));
		assertThat(ids("job_finished")).as("the others, seed %d", this.seed)
			.containsAll(ids.stream().filter((id) -> !erased.contains(id)).toList());
	}

	private static NewJob job(int number) {
		JobRequest request = JobRequest.of("type")
			.tags("customer:" + number)
			.expiresIn(Duration.ofDays(1))
			.uniqueKey("key " + number)
			.uniqueFromEnqueue(JobRequest.FOREVER);
		return new NewJob(request, "{}", null, null, NewJobs.of(JobRequest.of("other"), null));
	}

	private int work(Random random) {
		long worker = database.worker();
		while (database.count("job where type = 'type'") > 0) {
			database.maintenance().promoteAll(100);
			List<Lease> claimed = database.claim(worker, 1 + random.nextInt(5))
				.stream()
				.map(ClaimedJob::lease)
				.toList();
			boolean dies = random.nextInt(5) == 0;
			if (dies) {
				database.kill(worker);
				database.recovery().recover(1000, 1000);
			}
			for (Lease lease : claimed) {
				database.jobs().leases().running(worker, lease);
				database.jobs().leases().progress(worker, List.of(new ProgressReport(lease, 1, 1, 2, "half")));
				database.jobs().steps().record(worker, lease, "step", "{}");
				database.jobs().leases().logs().write(worker, List.of(new LogPart(lease, 1, "[]")));
				if (!dies) { // otherwise the job may be erased just now, and maintenance
								// deletes the signal
					this.signals.send(lease.jobId(), "approval", null);
				}
				this.claimed.add(lease.jobId());
				switch (random.nextInt(6)) {
					case 0 ->
						database.jobs().outcomes().fail(worker, List.of(new Failure(lease, "error", Duration.ZERO)));
					case 1 -> database.jobs().outcomes().release(worker, List.of(lease));
					case 2 -> this.waits.begin(worker,
							List.of(new Wait(lease, Kind.SLEEP, "nap", Duration.ofMillis(1))), (resumed) -> {
							});
					default -> database.jobs().succeed(worker, Map.of(lease, "{}"));
				}
			}
			if (database.workers().heartbeat(worker, 0).isEmpty()) {
				worker = database.worker();
			}
		}
		return 0;
	}

	/** Every other job is erased after a worker has left traces of it. */
	private int erase(Set<Long> ids) {
		int erased = 0;
		for (long id : ids) {
			while (id % 2 == 0 && !this.claimed.contains(id)) {
				Thread.onSpinWait();
			}
			EraseResult result = this.control.erase(id);
			while (result == EraseResult.REQUESTED) {
				Thread.onSpinWait();
				result = this.control.erase(id);
			}
			erased += (result == EraseResult.ERASED) ? 1 : 0;
		}
		return erased;
	}

	private static List<Long> ids(String table) {
		return database.list("select %s from {schema}.%s"
			.formatted((table.equals("job") || table.equals("job_finished")) ? "id" : "job_id", table), Long.class);
	}

}
