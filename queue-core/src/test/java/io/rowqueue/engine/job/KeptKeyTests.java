package io.rowqueue.engine.job;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.EnqueueResult;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.control.FailedJobStore.RetriedJob;
import io.rowqueue.engine.history.CleanupStore;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A key that stays taken after a success makes an enqueue idempotent. */
class KeptKeyTests {

	static final List<DuplicatePolicy> EVERY = DuplicatePolicyTests.EVERY;

	private static final JobRequest KEYED = JobRequest.of("type").uniqueKey("key");

	private static final JobRequest AN_HOUR = KEYED.uniqueFor(Duration.ofHours(1));

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

	@ParameterizedTest
	@FieldSource("EVERY")
	void whatWasDoneIsNotDoneAgainWhateverThePolicy(DuplicatePolicy policy) {
		long first = enqueue(AN_HOUR).id();
		succeed(true);
		assertThat(enqueue(KEYED.duplicates(policy))).isEqualTo(new EnqueueResult(first, Outcome.DONE));
		assertThat(enqueue(KEYED.duplicates(policy)).created()).isFalse();
		assertThat(jobs()).isZero();
	}

	@Test
	void theKeyIsFreeWhenItsTimeHasPassed() {
		enqueue(AN_HOUR);
		succeed(true);
		passAnHour();
		assertThat(enqueue(AN_HOUR).outcome()).isEqualTo(Outcome.CREATED);
		long second = succeed(true);
		assertThat(enqueue(KEYED)).as("and is taken anew").isEqualTo(new EnqueueResult(second, Outcome.DONE));
	}

	@Test
	void theTimeCountsFromTheSuccess() {
		enqueue(AN_HOUR);
		Lease lease = database.claimOne(this.worker).lease();
		Instant before = database.now();
		database.jobs().succeed(this.worker, List.of(lease));
		passAnHour();
		assertThat(database.query("select taken_until from {schema}.taken_key", OffsetDateTime.class).toInstant())
			.isBetween(before, database.now());
	}

	@Test
	void theLongestTimeIsAThousandYears() {
		enqueue(KEYED.uniqueFor(JobRequest.FOREVER));
		succeed(true);
		assertThat(database.query("select taken_until > now() + interval '999 years' from {schema}.taken_key",
				Boolean.class))
			.isTrue();
		assertThat(enqueue(KEYED).outcome()).isEqualTo(Outcome.DONE);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void theKeyIsKeptWithAndWithoutHistory(boolean keepHistory) {
		long id = enqueue(AN_HOUR).id();
		succeed(keepHistory);
		assertThat(database.jobs().find(id).isPresent()).isEqualTo(keepHistory);
		assertThat(enqueue(KEYED)).isEqualTo(new EnqueueResult(id, Outcome.DONE));
	}

	@Test
	void aBatchEndsJobsThatKeepTheirKeyAndOthers() {
		List<Long> ids = database.enqueue(JobRequest.of("type"), AN_HOUR, KEYED.uniqueKey("other"));
		List<Lease> leases = database.claim(this.worker, 3).stream().map(ClaimedJob::lease).toList();
		assertThat(database.jobs().succeed(this.worker, leases)).containsExactlyInAnyOrderElementsOf(ids);
		assertThat(ids).extracting(database::state).containsOnly(JobState.SUCCEEDED);
		assertThat(keys()).containsExactly("key");
	}

	@Test
	void oneThatLostItsLeaseKeepsNoKey() {
		enqueue(AN_HOUR);
		Lease lease = database.claimOne(this.worker).lease();
		database.jobs().outcomes().release(this.worker, List.of(lease));
		assertThat(database.jobs().succeed(this.worker, List.of(lease))).isEmpty();
		assertThat(keys()).isEmpty();
	}

	@Test
	void aJobThatFailedPermanentlyCanBeEnqueuedAgain() {
		enqueue(AN_HOUR);
		fail();
		assertThat(enqueue(KEYED).outcome()).isEqualTo(Outcome.CREATED);
	}

	@Test
	void whatWasCancelledCanBeEnqueuedAgain() {
		assertThat(database.jobs().controlStore().cancel(enqueue(AN_HOUR).id())).isTrue();
		assertThat(enqueue(KEYED).outcome()).isEqualTo(Outcome.CREATED);
	}

	@Test
	void theRetentionOfTheKeyIsReplacedWithTheJob() {
		enqueue(KEYED);
		enqueue(AN_HOUR.duplicates(DuplicatePolicy.replace()));
		succeed(true);
		assertThat(keys()).containsExactly("key");
	}

	@Test
	void aFollowUpKeepsTheKeyForItsOwnTime() {
		enqueue(KEYED);
		Lease lease = database.claimOne(this.worker).lease();
		long followUp = enqueue(AN_HOUR.duplicates(DuplicatePolicy.runAgain())).id();
		database.jobs().succeed(this.worker, List.of(lease));
		assertThat(keys()).isEmpty();
		database.maintenance().followUp(1);
		assertThat(succeed(true)).isEqualTo(followUp);
		assertThat(keys()).containsExactly("key");
	}

	@Test
	void aFailedJobIsNotRetriedWhileAnotherSuccessKeepsItsKey() {
		long failed = enqueue(KEYED).id();
		fail();
		enqueue(AN_HOUR);
		succeed(true);
		assertThat(database.jobs().failedJobs().retry(failed)).isEmpty();
		passAnHour();
		assertThat(database.jobs().failedJobs().retry(failed))
			.contains(new RetriedJob(failed, "default", JobState.QUEUED));
	}

	@Test
	void keysThatAreNoLongerTakenAreDeleted() {
		enqueue(AN_HOUR);
		enqueue(AN_HOUR.uniqueKey("other"));
		succeed(true);
		passAnHour();
		succeed(true);
		assertThat(new CleanupStore(database.queueDatabase()).deleteKeys(10)).isEqualTo(1);
		assertThat(keys()).containsExactly("other");
	}

	private static EnqueueResult enqueue(JobRequest request) {
		return database.jobs().enqueue(List.of(NewJobs.of(request, null))).get(0);
	}

	private long succeed(boolean keepHistory) {
		Lease lease = database.claimOne(this.worker).lease();
		return database.jobs(keepHistory).succeed(this.worker, List.of(lease)).get(0);
	}

	private void fail() {
		Lease lease = database.claimOne(this.worker).lease();
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "error", null)));
	}

	private static void passAnHour() {
		database.update("update {schema}.taken_key set taken_until = taken_until - interval '1 hour'");
	}

	private static int jobs() {
		return database.count("job");
	}

	private static List<String> keys() {
		return database.list("select unique_key from {schema}.taken_key order by 1", String.class);
	}

}
