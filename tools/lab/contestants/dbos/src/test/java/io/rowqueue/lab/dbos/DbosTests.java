package io.rowqueue.lab.dbos;

import java.time.Duration;

import io.rowqueue.lab.contestant.Contestant;
import io.rowqueue.lab.contestant.Contestants;
import io.rowqueue.lab.contestant.Db;
import io.rowqueue.lab.contestant.Ledger;
import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.DevPostgres;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What the workloads rely on, on the class path that the contestant has to itself. */
@Tag("thorough")
class DbosTests {

	private static final int JOBS = 200;

	private final Ledger ledger = new Ledger(2 * JOBS);

	private final Db db = new Db(url());

	@Test
	void aWorkerThatWasStoppedRunsNothingUntilItIsStartedAgain() throws Exception {
		Contestant contestant = create();
		contestant.enqueueAll(0, JOBS);
		assertThat(this.db.count(contestant.table(), contestant.number().orElseThrow())).isEqualTo(JOBS);
		contestant.startWorker();
		awaitDrained(contestant, JOBS);
		contestant.stopWorker();
		contestant.enqueueAll(JOBS, 2 * JOBS);
		assertThat(contestant.isDrained()).isFalse();
		assertThat(this.ledger.total()).isEqualTo(JOBS);
		contestant.startWorker();
		awaitDrained(contestant, 2 * JOBS);
		contestant.stopWorker();
		assertThat(this.ledger.fingerprint()).isEqualTo(Ledger.fingerprint(2 * JOBS));
	}

	@Test
	void jobsThatWereAddedBySqlAreRun() throws Exception {
		Contestant contestant = create();
		contestant.fill(JOBS);
		assertThat(this.db.count(contestant.waiting())).isEqualTo(JOBS);
		contestant.startWorker();
		awaitDrained(contestant, JOBS);
		contestant.stopWorker();
		assertThat(this.ledger.fingerprint()).isEqualTo(Ledger.fingerprint(JOBS));
	}

	private Contestant create() throws Exception {
		return Contestants.create("dbos", this.db.url(), this.ledger, "drain");
	}

	private void awaitDrained(Contestant contestant, int jobs) {
		await().atMost(Duration.ofMinutes(1)).until(() -> this.ledger.total() >= jobs && contestant.isDrained());
	}

	private static String url() {
		Database database = DevPostgres.shared().createDatabase("lab");
		String separator = database.url().contains("?") ? "&" : "?";
		return database.url() + separator + "user=" + database.username() + "&password=" + database.password();
	}

}
