package io.rowqueue.engine.maintenance;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.support.Expiry;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** Jobs that expire before they begin. */
class ExpireTaskTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final List<String> expired = new ArrayList<>();

	private final ExpireTask task = new ExpireTask(database.maintenance(),
			(queue, type) -> this.expired.add(queue + " " + type));

	private final long worker = database.worker();

	private final Instant past = database.now().minusSeconds(1);

	@Test
	void waitingJobsAreCancelledAndShowWhy() {
		long predecessor = enqueue(JobRequest.of("type"));
		List<Long> ids = enqueue(JobRequest.of("type").expiresAt(this.past),
				JobRequest.of("type").expiresAt(this.past).delay(Duration.ofDays(1)),
				JobRequest.of("type").expiresAt(this.past).limitKey("key"),
				JobRequest.of("type").expiresAt(this.past).uniqueKey("key"),
				JobRequest.of("type").expiresAt(this.past).after(predecessor));
		this.task.run();
		assertThat(ids).allSatisfy((id) -> {
			assertThat(database.state(id)).isEqualTo(JobState.CANCELLED);
			assertThat(database.find(id).lastError()).isEqualTo(Expiry.REASON);
		});
		assertThat(this.expired).containsOnly("default type").hasSameSizeAs(ids);
		assertThat(database.state(predecessor)).isEqualTo(JobState.QUEUED);
		assertThat(expiries()).isZero();
	}

	@Test
	void nothingHappensBefore() {
		long id = enqueue(JobRequest.of("type").expiresAt(database.now().plus(Duration.ofDays(1))));
		this.task.run();
		assertThat(database.state(id)).isEqualTo(JobState.QUEUED);
		assertThat(expiries()).isOne();
	}

	@Test
	void aJobThatHasBegunDoesNotExpire() {
		Lease lease = leaseExpired();
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "error", Duration.ofDays(1))));
		this.task.run();
		assertThat(database.state(lease.jobId())).isEqualTo(JobState.SCHEDULED);
		assertThat(expiries()).isZero();
	}

	@Test
	void aJobThatRanWhenItsWorkerDiedDoesNotExpire() {
		Lease lease = leaseExpired();
		database.jobs().leases().running(this.worker, List.of(lease));
		database.kill(this.worker);
		assertThat(database.recovery().recover(1, 10)).hasSize(1);
		assertThat(expiries()).as("also if it is retried manually").isZero();
	}

	@Test
	void aWorkerDecidesAboutTheJobsThatItHolds() {
		Lease lease = leaseExpired();
		this.task.run();
		assertThat(database.state(lease.jobId())).isEqualTo(JobState.STARTING);
		database.jobs().outcomes().release(this.worker, List.of(lease));
		this.task.run();
		assertThat(database.state(lease.jobId())).as("it waits again").isEqualTo(JobState.CANCELLED);
	}

	@Test
	void aReplacedJobExpiresAsItsLatestRequestSays() {
		JobRequest request = JobRequest.of("type").uniqueKey("a").duplicates(DuplicatePolicy.replace());
		long never = enqueue(request.expiresAt(this.past));
		enqueue(request);
		long later = enqueue(request.uniqueKey("b").expiresAt(this.past));
		enqueue(request.uniqueKey("b").expiresAt(database.now().plus(Duration.ofDays(1))));
		long now = enqueue(request.uniqueKey("c"));
		enqueue(request.uniqueKey("c").expiresAt(this.past));
		this.task.run();
		assertThat(List.of(never, later, now)).extracting(database::state)
			.containsExactly(JobState.QUEUED, JobState.QUEUED, JobState.CANCELLED);
		assertThat(expiries()).isOne();
	}

	@Test
	void aFollowUpExpiresWhenItCanRun() {
		enqueue(JobRequest.of("type").uniqueKey("key"));
		Lease lease = database.claimOne(this.worker).lease();
		long followUp = enqueue(
				JobRequest.of("type").uniqueKey("key").duplicates(DuplicatePolicy.replace()).expiresAt(this.past));
		this.task.run();
		assertThat(database.state(followUp)).isEqualTo(JobState.SCHEDULED);
		database.jobs().succeed(this.worker, List.of(lease));
		database.maintenance().followUp(10);
		this.task.run();
		assertThat(database.state(followUp)).isEqualTo(JobState.CANCELLED);
	}

	@Test
	void aJobThatRunsAfterAnExpiredOneFails() {
		long first = enqueue(JobRequest.of("type").expiresAt(this.past));
		long second = enqueue(JobRequest.of("type").after(first));
		database.maintenance().settleDependencies(10);
		this.task.run();
		assertThat(database.state(second)).isEqualTo(JobState.FAILED);
	}

	@Test
	void aFailedJobDoesNotExpire() {
		long first = enqueue(JobRequest.of("type"));
		long second = enqueue(JobRequest.of("type").after(first).expiresAt(this.past));
		database.maintenance().settleDependencies(10);
		Lease lease = database.claimOne(this.worker).lease();
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "error", null)));
		this.task.run();
		assertThat(database.state(second)).isEqualTo(JobState.FAILED);
		assertThat(expiries()).isZero();
	}

	@Test
	void aJobThatATransactionHasLockedIsLeftForTheNextRun() throws Exception {
		List<Long> ids = enqueue(JobRequest.of("type").expiresAt(this.past),
				JobRequest.of("type").expiresAt(this.past));
		try (OpenTransaction transaction = database.begin()) {
			transaction.execute("select from {schema}.job where id = " + ids.get(0) + " for update");
			this.task.run();
			assertThat(database.state(ids.get(1))).isEqualTo(JobState.CANCELLED);
		}
		this.task.run();
		assertThat(database.state(ids.get(0))).isEqualTo(JobState.CANCELLED);
	}

	@Test
	void aTransactionThatHasReplacedAJobWithAnExpiryDelaysNoOtherJob() throws Exception {
		JobRequest request = JobRequest.of("type").uniqueKey("key").duplicates(DuplicatePolicy.replace());
		enqueue(request.expiresAt(this.past));
		Lease lease = database.claimOne(this.worker).lease();
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "error", Duration.ofDays(1))));
		long other = enqueue(JobRequest.of("type").expiresAt(this.past));
		try (OpenTransaction transaction = database.begin()) {
			JobRequest later = request.expiresAt(database.now().plus(Duration.ofDays(1)));
			transaction.jobs().enqueue(List.of(NewJobs.of(later, null, null, headers(later))));
			this.task.run();
			assertThat(database.state(other)).isEqualTo(JobState.CANCELLED);
		}
	}

	private static long enqueue(JobRequest request) {
		return enqueue(new JobRequest[] { request }).get(0);
	}

	/** As the queue of an application stores them, with the headers. */
	private static List<Long> enqueue(JobRequest... requests) {
		return database.jobs()
			.enqueue(Stream.of(requests).map((request) -> NewJobs.of(request, null, null, headers(request))).toList())
			.stream()
			.map(EnqueueResult::id)
			.toList();
	}

	private static @Nullable String headers(JobRequest request) {
		return (request.expiresAt() != null) ? "{\"expires-at\": \"" + request.expiresAt() + "\"}" : null;
	}

	private Lease leaseExpired() {
		enqueue(JobRequest.of("type").expiresAt(this.past));
		return database.claimOne(this.worker).lease();
	}

	private static int expiries() {
		return database.count("job_expiry");
	}

}
