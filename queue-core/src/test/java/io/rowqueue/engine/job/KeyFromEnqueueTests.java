package io.rowqueue.engine.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.EnqueueResult;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.control.CancelResult;
import io.rowqueue.control.JobControl;
import io.rowqueue.control.RetryResult;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keys that are kept from the enqueue on, however the job ends, and delays with a
 * maximum.
 */
class KeyFromEnqueueTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private static final JobRequest ONCE = JobRequest.of("type").uniqueKey("key").uniqueFromEnqueue(JobRequest.FOREVER);

	private final JobControl control = database.jobs().control(database.jobs().wakeUps());

	private final long worker = database.worker();

	@Test
	void aWaitingOrRunningJobIsKept() {
		long id = database.enqueue(ONCE);
		assertThat(enqueue(ONCE)).isEqualTo(new EnqueueResult(id, Outcome.KEPT));
		assertThat(enqueue(ONCE.duplicates(DuplicatePolicy.replace()))).isEqualTo(new EnqueueResult(id, Outcome.KEPT));
		database.claimOne(this.worker);
		assertThat(enqueue(ONCE.duplicates(DuplicatePolicy.runAgain()))).isEqualTo(new EnqueueResult(id, Outcome.KEPT));
	}

	@Test
	void aJobThatFailedKeepsItsKey() {
		long id = fail();
		assertThat(enqueue(ONCE)).isEqualTo(new EnqueueResult(id, Outcome.DONE));
		assertThat(enqueue(JobRequest.of("other").uniqueKey("key"))).isEqualTo(new EnqueueResult(id, Outcome.DONE));
		assertThat(database.list("select id from {schema}.job", Long.class)).containsExactly(id);
	}

	@Test
	void aCancelledJobKeepsItsKey() {
		long id = database.enqueue(ONCE);
		assertThat(this.control.cancel(id)).isEqualTo(CancelResult.CANCELLED);
		assertThat(enqueue(ONCE)).isEqualTo(new EnqueueResult(id, Outcome.DONE));
	}

	@Test
	void aJobThatSucceededKeepsItsKey() {
		database.enqueue(ONCE);
		Lease lease = database.claimOne(this.worker).lease();
		database.jobs().succeed(this.worker, List.of(lease));
		assertThat(enqueue(ONCE)).isEqualTo(new EnqueueResult(lease.jobId(), Outcome.DONE));
	}

	@Test
	void aFailedJobCanBeRetriedWithItsKey() {
		long id = fail();
		assertThat(this.control.retry(id)).isEqualTo(RetryResult.QUEUED);
		assertThat(enqueue(ONCE)).isEqualTo(new EnqueueResult(id, Outcome.KEPT));
	}

	@Test
	void aKeyIsReleasedWhenItsTimeHasPassed() {
		long id = enqueue(ONCE.throttle(Duration.ofHours(1))).id();
		this.control.cancel(id);
		assertThat(enqueue(ONCE.throttle(Duration.ofHours(1)))).isEqualTo(new EnqueueResult(id, Outcome.DONE));
		database.execute("update {schema}.taken_key set taken_until = now()");
		EnqueueResult next = enqueue(ONCE.throttle(Duration.ofHours(1)));
		assertThat(next.outcome()).isEqualTo(Outcome.CREATED);
		assertThat(enqueue(ONCE.throttle(Duration.ofHours(1)))).isEqualTo(new EnqueueResult(next.id(), Outcome.KEPT));
	}

	@Test
	void anAdministratorReleasesAKey() {
		long id = fail();
		assertThat(this.control.releaseKey("key")).isTrue();
		assertThat(this.control.releaseKey("key")).isFalse();
		assertThat(enqueue(ONCE).outcome()).isEqualTo(Outcome.CREATED);
		assertThat(this.control.retry(id)).isEqualTo(RetryResult.KEY_TAKEN);
	}

	@Test
	void ofManyAtOnceOneIsEnqueued() {
		List<Future<EnqueueResult>> results = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			results.add(database.async(() -> enqueue(ONCE)));
		}
		assertThat(results).extracting(StoreDatabase::result).filteredOn(EnqueueResult::created).hasSize(1);
	}

	@Test
	void aReplacedJobKeepsItsKeyAsTheLatestRequestSays() {
		long id = database.enqueue(JobRequest.of("type").uniqueKey("key"));
		assertThat(enqueue(ONCE.duplicates(DuplicatePolicy.replace())))
			.isEqualTo(new EnqueueResult(id, Outcome.REPLACED));
		this.control.cancel(id);
		assertThat(enqueue(ONCE)).isEqualTo(new EnqueueResult(id, Outcome.DONE));
	}

	@Test
	void aReplacedFollowUpKeepsItsKeyAsTheLatestRequestSays() {
		database.enqueue(JobRequest.of("type").uniqueKey("key"));
		database.claimOne(this.worker);
		JobRequest replacing = JobRequest.of("type").uniqueKey("key").duplicates(DuplicatePolicy.replace());
		long followUp = database.enqueue(replacing);
		assertThat(enqueue(ONCE.duplicates(DuplicatePolicy.replace())))
			.isEqualTo(new EnqueueResult(followUp, Outcome.REPLACED));
		this.control.cancel(followUp);
		assertThat(enqueue(ONCE)).isEqualTo(new EnqueueResult(followUp, Outcome.DONE));
	}

	@Test
	void frequentEnqueuesDoNotPostponeAJobForever() {
		JobRequest request = JobRequest.of("type")
			.uniqueKey("key")
			.debounce(Duration.ofMinutes(5), Duration.ofHours(1));
		long id = database.enqueue(request);
		assertThat(left(id)).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
		createdEarlier(id, Duration.ofMinutes(58));
		assertThat(enqueue(request)).isEqualTo(new EnqueueResult(id, Outcome.REPLACED));
		assertThat(left(id)).isBetween(Duration.ZERO, Duration.ofMinutes(2));
		assertThat(database.state(id)).isEqualTo(JobState.SCHEDULED);
		createdEarlier(id, Duration.ofMinutes(3));
		enqueue(request);
		assertThat(database.state(id)).isEqualTo(JobState.QUEUED);
	}

	@Test
	void aFollowUpIsNotPostponedForeverEither() {
		JobRequest request = JobRequest.of("type")
			.uniqueKey("key")
			.debounce(Duration.ofMinutes(5), Duration.ofHours(1));
		database.enqueue(JobRequest.of("type").uniqueKey("key"));
		database.claimOne(this.worker);
		long followUp = database.enqueue(request);
		database.update("update {schema}.job_follow_up set created_at = now() - interval '59 minutes' where id = ?",
				followUp);
		assertThat(enqueue(request)).isEqualTo(new EnqueueResult(followUp, Outcome.REPLACED));
		assertThat(left(followUp)).isLessThan(Duration.ofMinutes(2));
	}

	@Test
	void sqlHasTheSamePolicies() {
		String once = "select {schema}.enqueue('type', unique_key => 'a', unique_for => '1 day', unique_from_enqueue => true)";
		long id = database.query(once, Long.class);
		this.control.cancel(id);
		assertThat(database.query(once, Long.class)).isEqualTo(id);
		String debounced = """
				select {schema}.enqueue('type', unique_key => 'b', delay => '5 minutes', duplicates => 'replace', at_most => '1 hour')""";
		long postponed = database.query(debounced, Long.class);
		createdEarlier(postponed, Duration.ofHours(2));
		assertThat(database.query(debounced, Long.class)).isEqualTo(postponed);
		assertThat(database.state(postponed)).isEqualTo(JobState.QUEUED);
	}

	private static EnqueueResult enqueue(JobRequest request) {
		return database.jobs().enqueue(List.of(NewJobs.of(request, null))).get(0);
	}

	private long fail() {
		database.enqueue(ONCE);
		Lease lease = database.claimOne(this.worker).lease();
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "error", null)));
		return lease.jobId();
	}

	private static void createdEarlier(long id, Duration age) {
		database.update("update {schema}.job set created_at = created_at - ? * interval '1 second' where id = ?",
				age.toSeconds(), id);
	}

	private static Duration left(long id) {
		return Duration.between(database.now(), database.find(id).runAt());
	}

}
