package io.rowqueue.engine.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.rowqueue.JobRequest;
import io.rowqueue.postgres.Dose;
import io.rowqueue.testing.Seed;
import io.rowqueue.testing.StoreDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Workers write about leases that they hold and about leases that they lost, in every way
 * there is, while they are given up at random. What the database accepted is what it
 * should have accepted.
 */
class RandomLeaseTests {

	private static final int JOBS = Dose.of(100, 300);

	private static final int WORKERS = 4;

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long seed = Seed.of(this);

	private final AtomicInteger refused = new AtomicInteger();

	@Test
	void aLeaseIsEndedOnceAndByItsHolderAlone() {
		database.enqueue(IntStream.range(0, JOBS).mapToObj((i) -> JobRequest.of("type")).toArray(JobRequest[]::new));
		List<Future<List<Lease>>> workers = IntStream.range(0, WORKERS)
			.mapToObj((i) -> database.async(() -> work(new Random(this.seed + i))))
			.toList();
		List<Lease> ended = workers.stream().map(StoreDatabase::result).flatMap(List::stream).toList();
		assertThat(ended).as("accepted once, seed %d", this.seed).doesNotHaveDuplicates();
		Set<Long> over = new HashSet<>(database.list("select id from {schema}.job_finished", Long.class));
		assertThat(over).as("seed %d", this.seed).hasSize(JOBS);
		assertThat(database.count("job_finished")).isEqualTo(JOBS);
		assertThat(this.refused).as("stale writes, seed %d", this.seed).hasPositiveValue();
		assertThat(ended.stream().filter((lease) -> isLast(ended, lease)).count()).isEqualTo(JOBS);
	}

	private static boolean isLast(List<Lease> ended, Lease lease) {
		return ended.stream().noneMatch((other) -> other.jobId() == lease.jobId() && other.token() > lease.token());
	}

	/** Returns the leases that it ended. */
	private List<Lease> work(Random random) {
		List<Lease> ended = new ArrayList<>();
		List<Lease> known = new ArrayList<>();
		long worker = database.worker();
		while (database.count("job") > 0) {
			database.maintenance().promoteAll(100);
			List<Lease> claimed = database.claim(worker, 1 + random.nextInt(10))
				.stream()
				.map(ClaimedJob::lease)
				.toList();
			known.addAll(claimed);
			if (random.nextInt(4) == 0) { // the others give it up, and take all it holds
				database.kill(worker);
				database.recovery().recover(1000, 1000);
			}
			for (Lease lease : claimed) {
				if (lease.token() > 1) {
					// the previous holder, perhaps this very worker
					attempt(worker, new Lease(lease.jobId(), lease.token() - 1), random, null);
				}
				attempt(worker, lease, random, ended);
			}
			for (int i = 0; i < 5 && !known.isEmpty(); i++) { // once more, long after
				attempt(worker, known.get(random.nextInt(known.size())), random, ended);
			}
			if (database.workers().heartbeat(worker, 0).isEmpty()) {
				worker = database.worker();
				known.forEach((lease) -> this.refused.incrementAndGet());
			}
		}
		return ended;
	}

	/** Writes about a lease, and checks that it was right to accept or refuse that. */
	private void attempt(long worker, Lease lease, Random random, @Nullable List<Lease> ended) {
		boolean over = ended == null || ended.contains(lease);
		if (random.nextInt(3) == 0) {
			boolean shown = database.jobs().leases().running(worker, lease);
			boolean reported = !database.jobs()
				.leases()
				.progress(worker, List.of(new ProgressReport(lease, 1, 1, 2, "half")))
				.isEmpty();
			assertThat(over && (shown || reported)).as("%s has ended, seed %d", lease, this.seed).isFalse();
		}
		List<Long> accepted = switch (random.nextInt(8)) {
			case 0 -> database.jobs().outcomes().fail(worker, List.of(new Failure(lease, "error", Duration.ZERO)));
			case 1 -> database.jobs().outcomes().release(worker, List.of(lease));
			case 2 -> database.jobs().outcomes().snooze(worker, List.of(new Snooze(lease, Duration.ofMillis(1), null)));
			case 3 -> database.jobs().cancel(worker, List.of(lease));
			case 4 -> database.jobs().succeed(worker, Map.of(lease, "{}"));
			default -> database.jobs().succeed(worker, List.of(lease));
		};
		if (!accepted.isEmpty()) {
			assertThat(over).as("%s ended twice, seed %d", lease, this.seed).isFalse();
			ended.add(lease);
		}
		else {
			this.refused.incrementAndGet();
		}
	}

}
