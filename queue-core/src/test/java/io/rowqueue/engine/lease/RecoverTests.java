package io.rowqueue.engine.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.rowqueue.Job;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.recovery.RecoveryRules;
import io.rowqueue.engine.recovery.RecoveryStore.RecoveredJob;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** What becomes of the jobs of a worker that died. */
class RecoverTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

	@Test
	void aJobWithAttemptsLeftIsQueuedAgain() {
		Lease lease = begun("type");
		Job before = database.find(lease.jobId());
		database.kill(this.worker);
		assertThat(database.recovery().recover(2, 10)).containsExactly(new RecoveredJob(lease.jobId(), "type",
				"default", JobState.QUEUED, this.worker, "worker " + this.worker + " (test) died"));
		Job job = database.find(lease.jobId());
		assertThat(job).usingRecursiveComparison().ignoringFields("state", "lastError").isEqualTo(before);
		assertThat(job.state()).isEqualTo(JobState.QUEUED);
		assertThat(job.lastError()).isEqualTo("worker " + this.worker + " (test) died");
		ClaimedJob again = database.claimOne(database.worker());
		assertThat(again.lease()).isEqualTo(new Lease(lease.jobId(), lease.token() + 1));
		assertThat(again.attempt()).isEqualTo(2);
	}

	@Test
	void aJobThatDiedInItsLastAttemptHasFailed() {
		Lease lease = begun("type");
		database.kill(this.worker);
		assertThat(database.recovery().recover(1, 10)).extracting(RecoveredJob::state).containsExactly(JobState.FAILED);
		assertThat(database.state(lease.jobId())).isEqualTo(JobState.FAILED);
	}

	@Test
	void theJobsOwnLimitCountsBeforeTheWorkers() {
		List<Long> ids = database.enqueue(JobRequest.of("type").maxAttempts(1), JobRequest.of("type").maxAttempts(2));
		database.claim(this.worker, 10)
			.forEach((job) -> database.jobs().leases().running(this.worker, List.of(job.lease())));
		database.kill(this.worker);
		database.recovery().recover(1, 10);
		assertThat(ids).extracting(database::state).containsExactly(JobState.FAILED, JobState.QUEUED);
	}

	@Test
	void aJobThatWasNotSeenToRunLosesNoAttempt() {
		long id = database.enqueue(JobRequest.of("type").maxAttempts(1));
		Lease lease = database.claimOne(this.worker).lease();
		database.kill(this.worker);
		assertThat(database.recovery().recover(1, 10)).extracting(RecoveredJob::state).containsExactly(JobState.QUEUED);
		assertThat(database.find(id).attempt()).isZero();
		assertThat(database.find(id).lastError()).isNull();
		assertThat(database.count("job_failure")).isZero();
		assertThat(database.jobs().succeed(this.worker, List.of(lease))).isEmpty();
		ClaimedJob again = database.claimOne(database.worker());
		assertThat(again.attempt()).isEqualTo(1);
		assertThat(again.lease()).isEqualTo(new Lease(id, 2));
	}

	@Test
	void aJobThatKillsItsWorkerWithTheClaimIsNotClaimedForEver() {
		long id = database.enqueue(JobRequest.of("type").maxAttempts(2));
		int deaths = 0;
		while (database.state(id) != JobState.FAILED) {
			long mortal = database.worker();
			database.claimOne(mortal);
			database.kill(mortal);
			database.recovery().recover(2, 10);
			assertThat(++deaths).isLessThan(100);
		}
		assertThat(deaths).isEqualTo(20 + 2);
	}

	@Test
	void theLostAttemptLeavesARecord() {
		Lease lease = begun("type");
		database.kill(this.worker);
		database.recovery().recover(2, 10);
		assertThat(database.query(
				"select count(*) from {schema}.job_failure where job_id = ? and attempt = 1"
						+ " and worker_id = ? and leased_at is not null and error = ?",
				Integer.class, lease.jobId(), this.worker, "worker " + this.worker + " (test) died"))
			.isEqualTo(1);
	}

	@Test
	void aJobThatRanWaitsLongerAfterEachDeathAndAFewEndIt() {
		RecoveryRules rules = rules(3);
		long id = database.enqueue(JobRequest.of("type"));
		assertThat(dieWhileItRuns(id, rules)).isBetween(48.0, 61.0);
		assertThat(dieWhileItRuns(id, rules)).isBetween(144.0, 181.0);
		long last = database.worker();
		runOn(last);
		database.kill(last);
		assertThat(database.recovery().recover(rules, 10, List.of())).extracting(RecoveredJob::state)
			.containsExactly(JobState.FAILED);
		assertThat(database.find(id).attempt()).isEqualTo(3);
		assertThat(database.find(id).lastError()).isEqualTo("worker " + last
				+ " (test) died; 3 processes have died while they ran the job (rowqueue.worker.max-deaths)");
	}

	@Test
	void otherFailuresAndDeathsBeforeARetryAreNotCounted() {
		RecoveryRules rules = rules(2);
		long id = database.enqueue(JobRequest.of("type"));
		dieWhileItRuns(id, rules);
		long second = database.worker();
		runOn(second);
		database.kill(second);
		database.recovery().recover(rules, 10, List.of());
		assertThat(database.state(id)).isEqualTo(JobState.FAILED);
		database.query("select state from {schema}.retry_jobs(array[?])", String.class, id);
		Lease lease = database.claimOne(this.worker).lease();
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "error", Duration.ZERO)));
		assertThat(dieWhileItRuns(id, rules)).as("the first death since the retry, after which it had come back")
			.isBetween(144.0, 181.0);
	}

	@Test
	void deathsAreCountedWhateverIsRecordedOfFailures() {
		RecoveryRules rules = rules(2);
		long id = database.enqueue(JobRequest.of("type"));
		Lease lease = database.claimOne(this.worker).lease();
		database.jobs()
			.outcomes()
			.fail(this.worker, List
				.of(new Failure(lease, "worker " + this.worker + " (as the handler says) died", Duration.ZERO)));
		assertThat(dieWhileItRuns(id, rules)).as("the first death").isBetween(48.0, 61.0);
		assertThat(database.query("with gone as (delete from {schema}.job_failure where job_id = ? returning 1)"
				+ " select count(*) from gone", Integer.class, id))
			.isEqualTo(2);
		long second = database.worker();
		runOn(second);
		database.kill(second);
		assertThat(database.recovery().recover(rules, 10, List.of())).extracting(RecoveredJob::state)
			.containsExactly(JobState.FAILED);
	}

	@Test
	void aJobThatCameBackAsUnseenWaitsAsAfterASecondDeath() {
		RecoveryRules rules = rules(3);
		long id = database.enqueue(JobRequest.of("type"));
		long first = database.worker();
		database.claimOne(first);
		database.kill(first);
		database.recovery().recover(rules, 10, List.of());
		assertThat(database.state(id)).as("it may have waited for a slot").isEqualTo(JobState.QUEUED);
		assertThat(dieWhileItRuns(id, rules)).isBetween(144.0, 181.0);
	}

	@Test
	void aJobToBeCancelledIsQueuedAtOnceAfterADeath() {
		Lease lease = begun("type");
		database.query("update {schema}.job set cancel_requested = true where id = ? returning id", Long.class,
				lease.jobId());
		database.kill(this.worker);
		database.recovery().recover(rules(3), 10, List.of());
		assertThat(database.state(lease.jobId())).isEqualTo(JobState.QUEUED);
	}

	/** Returns the seconds until the job runs again, and makes it due. */
	private static double dieWhileItRuns(long id, RecoveryRules rules) {
		long mortal = database.worker();
		runOn(mortal);
		database.kill(mortal);
		assertThat(database.recovery().recover(rules, 10, List.of())).extracting(RecoveredJob::state)
			.containsExactly(JobState.SCHEDULED);
		double pause = database.query(
				"select extract(epoch from run_at - clock_timestamp())::float8 from {schema}.job where id = ?",
				Double.class, id);
		assertThat(database.query("select order_at = run_at from {schema}.job where id = ?", Boolean.class, id))
			.isTrue();
		database.query("update {schema}.job set state = 'queued', run_at = now(), order_at = now() where id = ?"
				+ " returning id", Long.class, id);
		return pause + 1; // what has passed since, at most
	}

	private static RecoveryRules rules(int maxDeaths) {
		return new RecoveryRules(10, maxDeaths, Duration.ofMinutes(1), 3, Duration.ofHours(1));
	}

	private static void runOn(long worker) {
		database.jobs().leases().running(worker, List.of(database.claimOne(worker).lease()));
	}

	@Test
	void jobsOfAnUnknownWorkerAreRecovered() {
		Lease lease = begun("type");
		database.delete(this.worker);
		assertThat(database.recovery().recover(2, 10)).hasSize(1);
		assertThat(database.find(lease.jobId()).lastError()).isEqualTo("worker " + this.worker + " (unknown) died");
	}

	@Test
	void jobsOfLivingWorkersAreLeftAlone() {
		long dead = database.worker();
		long late = database.worker();
		Lease living = database.lease(this.worker, "a");
		Lease orphan = database.lease(dead, "b");
		database.lease(late, "c");
		database.silence(late, Duration.ofDays(1));
		database.kill(dead);
		assertThat(database.recovery().recover(2, 10)).extracting(RecoveredJob::id).containsExactly(orphan.jobId());
		assertThat(database.jobs().succeed(this.worker, List.of(living))).containsExactly(living.jobId());
	}

	@Test
	void aJobThatWasToBeCancelledInItsLastAttemptIsCancelled() {
		Lease lease = begun("type");
		database.update("update {schema}.job set cancel_requested = true where id = ?", lease.jobId());
		database.kill(this.worker);
		assertThat(database.recovery().recover(1, 10)).extracting(RecoveredJob::state).containsExactly(JobState.QUEUED);
		assertThat(database.claimOne(database.worker()).cancelRequested()).isTrue();
	}

	@Test
	void jobsWithoutALeaseAreNotRecovered() {
		database.jobs()
			.outcomes()
			.fail(this.worker, List.of(new Failure(database.lease(this.worker, "a"), "error", null)));
		database.jobs().outcomes().release(this.worker, List.of(database.lease(this.worker, "b")));
		database.kill(this.worker);
		assertThat(database.recovery().recover(2, 10)).isEmpty();
	}

	@Test
	void theLimitHoldsForTheJobsOfAllWorkersTogether() {
		long second = database.worker();
		enqueue(20);
		database.claim(this.worker, 10);
		database.claim(second, 10);
		database.kill(this.worker);
		database.kill(second);
		assertThat(database.recovery().recover(2, 15)).hasSize(15);
		assertThat(database.recovery().recover(2, 15)).hasSize(5);
		assertThat(database.recovery().recover(2, 15)).isEmpty();
	}

	@Test
	void aJobWhoseRowIsLockedIsRecoveredLater() throws Exception {
		Lease lease = database.lease(this.worker, "type");
		database.kill(this.worker);
		try (OpenTransaction transaction = database.begin()) {
			assertThat(transaction.jobs().succeed(this.worker, List.of(lease))).hasSize(1);
			assertThat(database.recovery().recover(2, 10)).isEmpty();
			transaction.commit();
		}
		assertThat(database.recovery().recover(2, 10)).isEmpty();
		assertThat(database.state(lease.jobId())).isEqualTo(JobState.SUCCEEDED);
	}

	@Test
	void jobsThatCannotBeRecoveredNowHideNoOthers() throws Exception {
		enqueue(3);
		database.claim(this.worker, 3);
		database.kill(this.worker);
		try (OpenTransaction transaction = database.begin()) {
			transaction.execute("select from rowqueue.job order by id limit 2 for update");
			assertThat(database.recovery().recover(2, 1)).hasSize(1);
			assertThat(database.recovery().recover(2, 1)).isEmpty();
		}
		assertThat(database.recovery().recover(2, 10)).hasSize(2);
	}

	@Test
	void aJobIsRecoveredOnceByWhomeverComesFirst() {
		enqueue(1000);
		database.claim(this.worker, 1000);
		database.kill(this.worker);
		List<Future<List<Long>>> recoverers = IntStream.range(0, 3)
			.mapToObj((i) -> database.async(RecoverTests::recoverAll))
			.toList();
		assertThat(recoverers.stream().map(StoreDatabase::result).flatMap(List::stream).toList())
			.doesNotHaveDuplicates()
			.hasSize(1000);
		assertThat(database.count("job where attempt = 0")).isEqualTo(1000);
	}

	/** A lease whose job is seen to run. */
	private Lease begun(String type) {
		Lease lease = database.lease(this.worker, type);
		database.jobs().leases().running(this.worker, List.of(lease));
		return lease;
	}

	private static List<Long> recoverAll() {
		List<Long> ids = new ArrayList<>();
		while (database.count("job where worker_id is not null") > 0) {
			database.recovery().recover(2, 70).forEach((job) -> ids.add(job.id()));
		}
		return ids;
	}

	private static void enqueue(int count) {
		database.enqueue(IntStream.range(0, count).mapToObj((i) -> JobRequest.of("type")).toArray(JobRequest[]::new));
	}

}
