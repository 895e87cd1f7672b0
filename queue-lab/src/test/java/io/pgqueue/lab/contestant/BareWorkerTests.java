package io.pgqueue.lab.contestant;

import java.time.Duration;
import java.util.Map;

import io.pgqueue.postgres.Database;
import io.pgqueue.postgres.DevPostgres;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class BareWorkerTests {

	/** More than two claims of each of its threads. */
	private static final int JOBS = 5000;

	/** What differs from job to job and from worker to worker is left out. */
	private static final String KINDS_OF_ROWS = """
			(select distinct state, priority, attempt, max_attempts, queue, type, unique_key, last_error, result::text,
				regexp_replace(payload::text, '[0-9]+', '#', 'g') as payload, worker_id is null as without_worker,
				created_at <= leased_at and leased_at <= finished_at as in_order
			from queue.job_finished) kinds""";

	private final Ledger ledger = new Ledger(2 * JOBS);

	private final Db db = database();

	@Test
	void leavesTheRowsThatTheProductLeaves() throws Exception {
		PgQueue product = PgQueue.create(this.db.url(), this.ledger, Map.of());
		product.enqueueAll(0, 100);
		work(product, 100);
		product.close();
		BareWorker bare = BareWorker.create(this.db, this.ledger);
		bare.enqueueAll(100, 200);
		work(bare, 200);
		assertThat(this.db.count("queue.job_finished")).isEqualTo(200);
		assertThat(this.db.count(KINDS_OF_ROWS)).isOne();
	}

	@Test
	void runsEachJobOnce() throws Exception {
		BareWorker bare = BareWorker.create(this.db, this.ledger);
		for (int job = 0; job < JOBS; job += 1000) {
			bare.enqueueAll(job, job + 1000);
		}
		assertThat(bare.isDrained()).isFalse();
		work(bare, JOBS);
		assertThat(this.ledger.fingerprint()).isEqualTo(Ledger.fingerprint(JOBS));
	}

	@Test
	void worksOffABacklog() throws Exception {
		BareWorker bare = BareWorker.create(this.db, this.ledger);
		bare.fill(JOBS);
		work(bare, JOBS);
		assertThat(this.ledger.fingerprint()).isEqualTo(Ledger.fingerprint(JOBS));
	}

	private void work(Contestant contestant, int jobs) throws Exception {
		contestant.startWorker();
		await().atMost(Duration.ofMinutes(1)).until(() -> this.ledger.total() >= jobs && contestant.isDrained());
		contestant.stopWorker();
		assertThat(this.db.count("queue.job")).isZero();
	}

	private static Db database() {
		Database database = DevPostgres.shared().createDatabase("lab");
		String separator = database.url().contains("?") ? "&" : "?";
		return new Db(database.url() + separator + "user=" + database.username() + "&password=" + database.password());
	}

}
