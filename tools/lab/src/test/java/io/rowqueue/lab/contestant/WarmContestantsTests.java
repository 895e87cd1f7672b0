package io.rowqueue.lab.contestant;

import java.time.Duration;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What workloads that warm up rely on. */
@Tag("thorough")
class WarmContestantsTests {

	private static final int JOBS = 1000;

	private final Ledger ledger = new Ledger(2 * JOBS);

	@ParameterizedTest
	@ValueSource(strings = { "rowqueue", "rowqueue-no-history", "limit-update", "limit-delete", "limit-rows",
			"limit-rows-delete" })
	void aWorkerThatWasStoppedRunsNothingUntilItIsStartedAgain(String name) throws Exception {
		Contestant contestant = Contestants.create(name, LabDatabase.url(), this.ledger, "drain");
		contestant.enqueueAll(0, JOBS);
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

	private void awaitDrained(Contestant contestant, int jobs) {
		await().atMost(Duration.ofMinutes(1)).until(() -> this.ledger.total() >= jobs && contestant.isDrained());
	}

}
