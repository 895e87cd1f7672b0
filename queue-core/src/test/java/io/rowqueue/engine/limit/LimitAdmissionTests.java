package io.rowqueue.engine.limit;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.postgres.Dose;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.Stores;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class LimitAdmissionTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final Stores store = new Stores(this.engine.jdbc());

	private final CountDownLatch first = new CountDownLatch(1);

	private final CompletableFuture<Void> goOn = new CompletableFuture<>();

	@AutoClose
	private final LimitAdmission admission = new LimitAdmission(this.store.admission(), (queues) -> {
		this.first.countDown();
		this.goOn.join();
	});

	@Test
	void aJobThatWasDueLongAgoIsAdmittedTogetherWithOneThatIsDueNow() throws InterruptedException {
		store(JobRequest.of("type").limitKey("a"));
		this.admission.jobsArrived();
		this.first.await();
		store(JobRequest.of("type").limitKey("b").runAt(Instant.now().minus(Duration.ofHours(1))));
		this.admission.jobsArrived();
		store(JobRequest.of("type").limitKey("c"));
		this.admission.jobsArrived();
		assertThat(scheduled()).isEqualTo(2);
		this.goOn.complete(null);
		await().until(() -> scheduled() == 0);
	}

	/** They wait for what it does at the moment, and not for all that follows. */
	@Test
	void jobsOfAFreedKeyAreAdmittedWhileManyOthersAreDue() throws InterruptedException {
		store(JobRequest.of("type").limitKey("freed"));
		store(JobRequest.of("type").limitKey("freed"));
		this.store.admission().admitDue();
		this.engine.jdbc().update("delete from rowqueue.job where state = 'queued'");
		this.engine.jdbc()
			.update("insert into rowqueue.job (run_at, order_at, state, queue, type, limit_key)"
					+ " select clock_timestamp(), clock_timestamp(), 'scheduled', 'default', 'type', 'customer:' || i % 10"
					+ " from generate_series(1, ?) i", Dose.of(15_000, 30_000));
		this.admission.jobsArrived();
		this.first.await();
		this.admission.keysFreed(List.of("freed"));
		this.goOn.complete(null);
		await().until(() -> this.engine.number(
				"select case when (select count(*) from rowqueue.job where limit_key = 'freed' and state = 'queued') = 1"
						+ " then (select count(*) from rowqueue.job where state = 'scheduled') end") > 0);
		await().until(() -> scheduled() == 0);
	}

	private void store(JobRequest request) {
		this.store.enqueue(List.of(NewJobs.of(request, null)));
	}

	private long scheduled() {
		return this.engine.jobs(JobState.SCHEDULED);
	}

}
