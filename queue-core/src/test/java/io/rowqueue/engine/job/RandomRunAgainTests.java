package io.rowqueue.engine.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.postgres.Dose;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.Seed;
import io.rowqueue.testing.StoreDatabase;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many who change data and have a job run again that reads them, in transactions that
 * overlap, beside workers that claim these jobs: the last run of a key has seen each
 * change that was committed.
 */
@Timeout(300)
class RandomRunAgainTests {

	private static final String KEY = "index";

	private static final int PRODUCERS = 3;

	private static final int ROUNDS = Dose.of(12, 40);

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final Random random = new Random(Seed.of(this));

	private final AtomicLong seen = new AtomicLong();

	private final AtomicBoolean over = new AtomicBoolean();

	@Test
	void theLastRunHasSeenEachChange() {
		database.execute("drop table if exists public.change");
		database.execute("create table public.change (id bigint generated always as identity)");
		Future<?> worker = database.async(this::work);
		for (int round = 0; round < ROUNDS; round++) {
			List<Future<?>> producers = new ArrayList<>();
			for (int i = 0; i < PRODUCERS; i++) {
				int millis = this.random.nextInt(30);
				producers.add(database.async(() -> change(millis)));
			}
			producers.forEach(StoreDatabase::result);
			Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> waiting() == 0);
			assertThat(this.seen.get()).as("round %d", round).isEqualTo(changes());
		}
		this.over.set(true);
		StoreDatabase.result(worker);
	}

	/** The job may be claimed, run and end between the enqueue and the commit. */
	private Void change(int millis) throws Exception {
		JobRequest request = JobRequest.of("type").uniqueKey(KEY).duplicates(DuplicatePolicy.runAgain());
		try (OpenTransaction transaction = database.begin()) {
			transaction.execute("insert into public.change default values");
			transaction.jobs().enqueue(List.of(NewJobs.of(request, null)));
			transaction.execute("select pg_sleep(" + millis + " / 1000.0)");
			transaction.commit();
		}
		return null;
	}

	private Void work() {
		long worker = database.worker();
		while (!this.over.get()) {
			database.maintenance().followUp(10);
			for (ClaimedJob job : database.claim(worker, 1)) {
				this.seen.set(changes());
				database.jobs().succeed(worker, List.of(job.lease()));
			}
		}
		return null;
	}

	private static long changes() {
		return database.query("select count(*) from public.change", Long.class);
	}

	private static int waiting() {
		return database.query(
				"select (select count(*) from {schema}.job) + (select count(*) from {schema}.job_follow_up)",
				Integer.class);
	}

}
