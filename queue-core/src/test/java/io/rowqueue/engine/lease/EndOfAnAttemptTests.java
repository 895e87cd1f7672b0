package io.rowqueue.engine.lease;

import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

import io.rowqueue.Job;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.database.PostgresTime;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.testing.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What remains of a job that succeeded, failed or was handed back. */
class EndOfAnAttemptTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

	/** However long the session would wait: here, for ever. */
	@Test
	void aLockedRowIsNotWaitedFor() throws Exception {
		Lease locked = database.lease(this.worker, "type");
		Lease free = database.lease(this.worker, "type");
		List<Lease> leases = List.of(locked, free);
		Stores store = database.jobs();
		try (OpenTransaction other = database.begin()) {
			other.execute("select from {schema}.job where id = " + locked.jobId() + " for update");
			List<Callable<Object>> ends = List.of(() -> store.succeed(this.worker, leases),
					() -> store.succeed(this.worker, Map.of(locked, "1", free, "2")),
					() -> store.outcomes()
						.fail(this.worker,
								leases.stream().map((lease) -> new Failure(lease, "error", Duration.ZERO)).toList()),
					() -> store.outcomes()
						.snooze(this.worker,
								leases.stream().map((lease) -> new Snooze(lease, Duration.ZERO, null)).toList()),
					() -> store.cancel(this.worker, leases), () -> store.outcomes().release(this.worker, leases));
			assertThat(ends).allSatisfy((end) -> assertThatExceptionOfType(IllegalStateException.class)
				.isThrownBy(() -> StoreDatabase.result(database.async(end)))
				.withRootCauseInstanceOf(SQLException.class)
				.withStackTraceContaining("lock timeout"));
			assertThat(store.leases().locked(this.worker, leases)).containsExactly(locked.jobId());
		}
		assertThat(store.leases().locked(this.worker, leases)).isEmpty();
		assertThat(store.succeed(this.worker, leases)).hasSize(2);
	}

	@Test
	void aResultIsKeptOnlyWhereHistoryIs() {
		Lease lease = database.lease(this.worker, "type");
		assertThat(database.jobs(false).succeed(this.worker, Map.of(lease, "1"))).containsExactly(lease.jobId());
		assertThat(database.jobs().find(lease.jobId())).isEmpty();
	}

	@Test
	void aJobThatSucceededMovesToTheHistory() {
		long id = database.jobs()
			.enqueue(List.of(NewJobs
				.of(JobRequest.of("send-mail").queue("mail").priority(3).maxAttempts(7).uniqueKey("key"), "[1]")))
			.get(0)
			.id();
		Lease lease = database.claimOne(this.worker).lease();
		Job before = database.find(id);
		Instant start = database.now();
		database.jobs().succeed(this.worker, List.of(lease));
		Job job = database.find(id);
		assertThat(job).usingRecursiveComparison().ignoringFields("state", "finishedAt").isEqualTo(before);
		assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
		assertThat(job.finishedAt()).isBetween(start, database.now());
		assertThat(database.count("job")).isZero();
		assertThat(database.query("select worker_id from {schema}.job_finished where id = ?", Long.class, id))
			.isEqualTo(this.worker);
	}

	@Test
	void aJobThatSucceededLandsInThePartitionOfItsDay() {
		database.jobs().succeed(this.worker, List.of(database.lease(this.worker, "type")));
		assertThat(database.query("select tableoid::regclass::text from {schema}.job_finished", String.class))
			.isEqualTo(database
				.query("select 'rowqueue.job_finished_' || to_char(finished_at at time zone 'UTC', 'YYYYMMDD')"
						+ " from {schema}.job_finished", String.class));
	}

	@Test
	void aJobThatSucceededIsGoneWhenNoHistoryIsKept() {
		Lease lease = database.lease(this.worker, "type");
		assertThat(database.jobs(false).succeed(this.worker, List.of(lease))).containsExactly(lease.jobId());
		assertThat(database.jobs().find(lease.jobId())).isEmpty();
	}

	@Test
	void eachQueueDecidesWhetherItsSucceededJobsAreKept() {
		KeptJobs allButMail = new KeptJobs(true, Set.of("mail", "it's ?"));
		KeptJobs onlyMail = new KeptJobs(false, Set.of("mail", "it's ?"));
		assertThat(succeeded(allButMail, "mail", "it's ?", "other")).containsExactlyInAnyOrder("other", "other");
		assertThat(succeeded(onlyMail, "mail", "it's ?", "other")).containsExactlyInAnyOrder("mail", "mail", "it's ?",
				"it's ?");
	}

	/**
	 * Two jobs of each queue, one with a result; returns the queues of those that are
	 * kept.
	 */
	private List<String> succeeded(KeptJobs kept, String... queues) {
		database.execute("truncate {schema}.job_finished");
		Stores jobs = new Stores(database.jdbc(), database.jdbc(), SchemaName.DEFAULT, kept, StoreListener.NONE);
		for (String queue : queues) {
			database.enqueue(JobRequest.of("type").queue(queue));
			Lease plain = database.claimOne(this.worker).lease();
			assertThat(jobs.succeed(this.worker, List.of(plain))).containsExactly(plain.jobId());
			database.enqueue(JobRequest.of("type").queue(queue).uniqueKey("key"));
			Lease withResult = database.claimOne(this.worker).lease();
			assertThat(jobs.succeed(this.worker, Map.of(withResult, "1"))).containsExactly(withResult.jobId());
		}
		return database.list("select queue from {schema}.job_finished", String.class);
	}

	@Test
	void aSmallPayloadIsKeptInTheHistory() {
		String payload = '"' + "x".repeat(1500) + '"';
		assertThat(succeeded(payload).payload()).isEqualTo(payload);
	}

	@Test
	void aBigPayloadIsNotKeptInTheHistory() {
		StringBuilder payload = new StringBuilder("\"");
		for (int i = 0; i < 10_000; i++) {
			payload.append(i * 7919L % 104_729);
		}
		assertThat(succeeded(payload.append('"').toString()).payload()).isNull();
	}

	@Test
	void noPayloadIsNoPayloadInTheHistory() {
		assertThat(succeeded(null).payload()).isNull();
	}

	@Test
	void aJobThatSucceededAfterAFailureKeepsItsLatestError() {
		Lease lease = database.lease(this.worker, "type");
		fail(lease, "first", Duration.ZERO);
		database.jobs().succeed(this.worker, List.of(database.claimOne(this.worker).lease()));
		Job job = database.find(lease.jobId());
		assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
		assertThat(job.attempt()).isEqualTo(2);
		assertThat(job.lastError()).isEqualTo("first");
	}

	@Test
	void aJobThatFailedPermanentlyIsKept() {
		Lease lease = database.lease(this.worker, "type");
		Job before = database.find(lease.jobId());
		fail(lease, "java.lang.IllegalStateException: \u4e2d 'quoted' \\ {a,b}\n\tat x", null);
		Job job = database.find(lease.jobId());
		assertThat(job).usingRecursiveComparison().ignoringFields("state", "lastError").isEqualTo(before);
		assertThat(job.state()).isEqualTo(JobState.FAILED);
		assertThat(job.lastError()).isEqualTo("java.lang.IllegalStateException: \u4e2d 'quoted' \\ {a,b}\n\tat x");
		assertThat(database.claim(this.worker, 10)).isEmpty();
	}

	@Test
	void aJobThatIsTriedAgainLaterIsScheduledByTheDatabasesClock() {
		Duration pause = Duration.ofHours(3);
		database.enqueue(JobRequest.of("type").tolerance(Duration.ofDays(1)));
		Lease lease = database.claimOne(this.worker).lease();
		Instant before = database.now();
		fail(lease, "error", pause);
		Job job = database.find(lease.jobId());
		assertThat(job.state()).isEqualTo(JobState.SCHEDULED);
		assertThat(job.runAt()).isBetween(before.plus(pause), database.now().plus(pause));
		assertThat(database.orderAt(job.id())).isBetween(job.runAt().plus(Duration.ofDays(1)),
				database.now().plus(pause).plus(Duration.ofDays(1)));
		assertThat(job.attempt()).isEqualTo(1);
		assertThat(job.lastError()).isEqualTo("error");
	}

	@Test
	void aJobThatIsTriedAgainAtOnceIsQueued() {
		Lease lease = database.lease(this.worker, "type");
		fail(lease, "error", Duration.ZERO);
		assertThat(database.state(lease.jobId())).isEqualTo(JobState.QUEUED);
		ClaimedJob again = database.claimOne(this.worker);
		assertThat(again.lease()).isEqualTo(new Lease(lease.jobId(), lease.token() + 1));
		assertThat(again.attempt()).isEqualTo(2);
	}

	@Test
	void everyFailedAttemptLeavesARecord() {
		Lease lease = database.lease(this.worker, "type");
		Instant firstClaim = database.find(lease.jobId()).startedAt();
		fail(lease, "first", Duration.ZERO);
		fail(database.claimOne(this.worker).lease(), "second", null);
		List<Map<String, Object>> failures = database.jdbc()
			.queryForList("select * from rowqueue.job_failure where job_id = ? order by failed_at", lease.jobId());
		assertThat(failures).extracting((row) -> row.get("attempt")).containsExactly(1, 2);
		assertThat(failures).extracting((row) -> row.get("error")).containsExactly("first", "second");
		assertThat(failures).extracting((row) -> row.get("worker_id")).containsOnly(this.worker);
		assertThat(failures.get(0).get("leased_at")).isEqualTo(Timestamp.from(firstClaim));
	}

	@Test
	void failuresOfOneCallKeepTheirOwnErrorAndPause() {
		Lease first = database.lease(this.worker, "a");
		Lease second = database.lease(this.worker, "b");
		Lease third = database.lease(this.worker, "c");
		database.jobs()
			.outcomes()
			.fail(this.worker, List.of(new Failure(third, "third", Duration.ofHours(1)),
					new Failure(first, "first", null), new Failure(second, "second", Duration.ZERO)));
		assertThat(List.of(first, second, third)).extracting((lease) -> database.state(lease.jobId()))
			.containsExactly(JobState.FAILED, JobState.QUEUED, JobState.SCHEDULED);
		assertThat(List.of(first, second, third)).extracting((lease) -> database.find(lease.jobId()).lastError())
			.containsExactly("first", "second", "third");
		assertThat(database.list("select error from {schema}.job_failure order by job_id", String.class))
			.containsExactly("first", "second", "third");
	}

	@Test
	void aReleasedJobHasUsedUpNoAttempt() {
		database.enqueue(JobRequest.of("type"));
		ClaimedJob claimed = database.claimOne(this.worker);
		database.jobs().leases().running(this.worker, List.of(claimed.lease()));
		database.jobs().outcomes().release(this.worker, List.of(claimed.lease()));
		Job job = database.find(claimed.lease().jobId());
		assertThat(job.state()).isEqualTo(JobState.QUEUED);
		assertThat(job.attempt()).isZero();
		assertThat(database.orderAt(job.id())).isEqualTo(PostgresTime.instant(claimed.orderAt()));
		assertThat(database.count("job_failure")).isZero();
		assertThat(database.claimOne(this.worker).attempt()).isEqualTo(1);
	}

	@Test
	void noWorkerHoldsAJobWhoseAttemptEnded() {
		fail(database.lease(this.worker, "failed"), "error", null);
		fail(database.lease(this.worker, "scheduled"), "error", Duration.ofDays(1));
		database.jobs().outcomes().release(this.worker, List.of(database.lease(this.worker, "released")));
		assertThat(database.count("job where worker_id is not null")).isZero();
	}

	@Test
	void aJobIsFoundInEveryState() {
		long id = database.enqueue(JobRequest.of("type").delay(Duration.ofDays(1)));
		assertThat(database.state(id)).isEqualTo(JobState.SCHEDULED);
		database.update("update {schema}.job set run_at = now()");
		database.maintenance().promoteAll(1);
		assertThat(database.state(id)).isEqualTo(JobState.QUEUED);
		Lease lease = database.claimOne(this.worker).lease();
		assertThat(database.state(id)).isEqualTo(JobState.STARTING);
		database.jobs().leases().running(this.worker, List.of(lease));
		assertThat(database.state(id)).isEqualTo(JobState.RUNNING);
		database.jobs().succeed(this.worker, List.of(lease));
		assertThat(database.state(id)).isEqualTo(JobState.SUCCEEDED);
		assertThat(database.jobs().find(id + 1)).isEmpty();
	}

	private Job succeeded(String payload) {
		long id = database.jobs().enqueue(List.of(NewJobs.of(JobRequest.of("type"), payload))).get(0).id();
		database.jobs().succeed(this.worker, List.of(database.claimOne(this.worker).lease()));
		return database.find(id);
	}

	private void fail(Lease lease, String error, Duration retryAfter) {
		assertThat(database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, error, retryAfter))))
			.containsExactly(lease.jobId());
	}

}
