package io.rowqueue.lab.contestant;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Tag("thorough")
class BareWorkerTests {

	/** More than two claims of each of its threads. */
	private static final int JOBS = 5000;

	/** What differs from job to job and from worker to worker is left out. */
	private static final String KINDS_OF_ROWS = """
			(select distinct state, priority, attempt, max_attempts, queue, type, unique_key, last_error, result::text,
				regexp_replace(payload::text, '[0-9]+', '#', 'g') as payload, worker_id is null as without_worker,
				created_at <= leased_at and leased_at <= finished_at as in_order
			from rowqueue.job_finished) kinds""";

	private final Ledger ledger = new Ledger(2 * JOBS);

	private final Db db = new Db(LabDatabase.url());

	@Test
	void theBareWorkerLeavesTheRowsThatTheProductLeaves() throws Exception {
		Rowqueue product = Rowqueue.create(this.db.url(), this.ledger, Map.of());
		product.enqueueAll(0, 100);
		work(product, 100);
		product.close();
		BareWorker bare = BareWorker.create(this.db, this.ledger, true);
		bare.enqueueAll(100, 200);
		work(bare, 200);
		assertThat(this.db.count("rowqueue.job_finished")).isEqualTo(200);
		assertThat(this.db.count(KINDS_OF_ROWS)).isOne();
	}

	@Test
	void theBareWorkerRunsEachJobOnce() throws Exception {
		BareWorker bare = BareWorker.create(this.db, this.ledger, true);
		for (int job = 0; job < JOBS; job += 1000) {
			bare.enqueueAll(job, job + 1000);
		}
		assertThat(bare.isDrained()).isFalse();
		work(bare, JOBS);
		assertThat(this.ledger.fingerprint()).isEqualTo(Ledger.fingerprint(JOBS));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void theBareWorkerDrainsABacklogAndOptionallyKeepsHistory(boolean history) throws Exception {
		BareWorker bare = BareWorker.create(this.db, this.ledger, history);
		bare.fill(JOBS);
		work(bare, JOBS);
		assertThat(this.ledger.fingerprint()).isEqualTo(Ledger.fingerprint(JOBS));
		assertThat(this.db.count("rowqueue.job_finished")).isEqualTo(history ? JOBS : 0);
	}

	private void work(Contestant contestant, int jobs) throws Exception {
		contestant.startWorker();
		await().atMost(Duration.ofMinutes(1)).until(() -> this.ledger.total() >= jobs && contestant.isDrained());
		contestant.stopWorker();
		assertThat(this.db.count("rowqueue.job")).isZero();
	}

}
