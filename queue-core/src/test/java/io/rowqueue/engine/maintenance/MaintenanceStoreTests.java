package io.rowqueue.engine.maintenance;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;

import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.maintenance.MaintenanceStore.NextWork;
import io.rowqueue.engine.maintenance.MaintenanceStore.PromotedJobs;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** What keeps the queue in order. */
class MaintenanceStoreTests {

	private static final Duration DAY = Duration.ofDays(1);

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final MaintenanceStore maintenance = database.maintenance();

	@Test
	void aTaskIsTakenOnceInEachInterval() {
		assertThat(this.maintenance.take("promote", DAY)).isTrue();
		assertThat(this.maintenance.take("promote", DAY)).isFalse();
		assertThat(this.maintenance.take("recover", DAY)).isTrue();
		database.update("update {schema}.maintenance_task set next_run_at = next_run_at - interval '1 day'");
		assertThat(this.maintenance.take("promote", DAY)).isTrue();
	}

	@Test
	void theNextWorkOfIdleWorkersIsTheFirstScheduledJob() {
		Task promote = new PeriodicTask("promote", Duration.ofSeconds(1), MaintenanceStore.PROMOTIONS) {

			@Override
			public void run() {
			}

		};
		database.worker();
		assertThat(this.maintenance.nextWork(List.of(promote)).idle()).as("a worker is busy").isFalse();
		database.update("update {schema}.worker set idle_interval = interval '1 minute'");
		assertThat(this.maintenance.nextWork(List.of(promote))).isEqualTo(new NextWork(true, null));
		database.enqueue(scheduled("a"));
		NextWork next = this.maintenance.nextWork(List.of(promote));
		assertThat(next.idle()).isTrue();
		assertThat(next.in()).isBetween(Duration.ofMinutes(1), DAY.multipliedBy(10));
		assertThat(this.maintenance.nextWork(List.of())).isEqualTo(new NextWork(true, null));
	}

	@Test
	void anUnknownTaskIsNotTaken() {
		assertThat(this.maintenance.take("unknown", DAY)).isFalse();
	}

	@Test
	void oneOfTwoTakesATask() throws Exception {
		try (OpenTransaction transaction = database.begin()) {
			assertThat(transaction.maintenance().take("promote", DAY)).isTrue();
			Future<Boolean> second = database.async(() -> this.maintenance.take("promote", DAY));
			database.awaitBlockedStatement();
			transaction.commit();
			assertThat(StoreDatabase.result(second)).isFalse();
		}
	}

	@Test
	void dueJobsArePromotedByQueueAndOthersStay() {
		List<Long> ids = database.enqueue(scheduled("a"), scheduled("a"), scheduled("b"), scheduled("a"));
		makeDue(ids.get(0), 10);
		makeDue(ids.get(1), 10);
		makeDue(ids.get(2), 10);
		assertThat(this.maintenance.promoteAll(10)).containsExactlyInAnyOrder(new PromotedJobs("a", 2),
				new PromotedJobs("b", 1));
		assertThat(ids).extracting(database::state)
			.containsExactly(JobState.QUEUED, JobState.QUEUED, JobState.QUEUED, JobState.SCHEDULED);
		assertThat(this.maintenance.promoteAll(10)).isEmpty();
		assertThat(database.claim(database.worker(), 10)).hasSize(3);
	}

	@Test
	void theJobsThatAreDueLongestArePromotedFirst() {
		List<Long> ids = database.enqueue(scheduled("a"), scheduled("a"), scheduled("a"));
		makeDue(ids.get(0), 10);
		makeDue(ids.get(1), 30);
		makeDue(ids.get(2), 20);
		assertThat(this.maintenance.promoteAll(2)).containsExactly(new PromotedJobs("a", 2));
		assertThat(ids).extracting(database::state)
			.containsExactly(JobState.SCHEDULED, JobState.QUEUED, JobState.QUEUED);
	}

	@Test
	void jobsThatAnotherTransactionHasLockedAreNotPromotedNow() throws Exception {
		List<Long> ids = database.enqueue(scheduled("a"), scheduled("a"));
		ids.forEach((id) -> makeDue(id, 10));
		try (OpenTransaction transaction = database.begin()) {
			transaction.execute("select from {schema}.job where id = " + ids.get(0) + " for update");
			assertThat(this.maintenance.promoteAll(10)).containsExactly(new PromotedJobs("a", 1));
		}
		assertThat(this.maintenance.promoteAll(10)).containsExactly(new PromotedJobs("a", 1));
	}

	@Test
	void aServerWhoseClockWentBackTakesATaskOnceInEachInterval() {
		assertThat(this.maintenance.take("promote_all", DAY)).isTrue();
		database.update("update {schema}.maintenance_task set next_run_at = next_run_at + interval '1 hour',"
				+ " taken_at = taken_at + interval '1 hour'");
		assertThat(this.maintenance.take("promote_all", DAY)).isTrue();
		assertThat(this.maintenance.take("promote_all", DAY)).isFalse();
	}

	@Test
	void aTaskThatRestsLongerThanItsIntervalIsNotTaken() {
		assertThat(this.maintenance.take("promote_all", Duration.ofSeconds(1))).isTrue();
		this.maintenance.rest("promote_all", DAY);
		assertThat(this.maintenance.take("promote_all", Duration.ofSeconds(1))).isFalse();
	}

	@Test
	void aServerWhoseClockWentBackPromotesWhatIsDue() {
		database.update("update {schema}.maintenance_task set mark = now() + interval '1 hour' where name = 'promote'");
		makeDue(database.enqueue(scheduled("a")), 0);
		assertThat(this.maintenance.promote(10)).containsExactly(new PromotedJobs("a", 1));
		makeDue(database.enqueue(scheduled("b")), 0);
		assertThat(this.maintenance.promote(10)).containsExactly(new PromotedJobs("b", 1));
	}

	private static JobRequest scheduled(String queue) {
		return JobRequest.of("type").queue(queue).delay(Duration.ofDays(10));
	}

	private static void makeDue(long id, int secondsAgo) {
		database.update("update {schema}.job set run_at = clock_timestamp() - ? * interval '1 second' where id = ?",
				secondsAgo, id);
	}

	@Test
	void changesOfBatchesAreAddedUpInChunks() {
		database.execute(
				"insert into {schema}.batch (name, closed_at) select 'batch', now() from generate_series(1, 6000)");
		database.execute(
				"insert into {schema}.batch_delta (batch_id) select id from {schema}.batch, generate_series(1, 2)");
		assertThat(database.maintenance().rollUpBatches(1000).more()).isTrue();
		assertThat(database.count("batch_delta")).isEqualTo(11_000);
		assertThat(database.maintenance().rollUpBatches(50_000).more()).isTrue();
		assertThat(database.count("batch where finished_at is null")).isEqualTo(500);
		assertThat(database.maintenance().rollUpBatches(50_000).more()).isFalse();
		assertThat(database.count("batch where finished_at is null")).isZero();
	}

}
