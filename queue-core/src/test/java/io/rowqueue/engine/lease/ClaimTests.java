package io.rowqueue.engine.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.database.PostgresTime;
import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.lease.ClaimStore.Claimed;
import io.rowqueue.engine.lease.LeaseStore.StoredPayload;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** Which jobs a worker gets, and in what order. */
class ClaimTests {

	private static final Instant PAST = Instant.parse("2020-01-01T00:00:00Z");

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

	@Test
	void aBigPayloadStaysInTheDatabaseUntilTheJobRuns() {
		String small = '"' + "x".repeat(16_000) + '"';
		String big = '"' + "x".repeat(17_000) + '"'; // stored in a few bytes
		enqueue(small);
		ClaimedJob inline = database.claimOne(this.worker);
		assertThat(inline.payload()).isEqualTo(small);
		assertThat(inline.payloadDeferred()).isFalse();
		long id = enqueue(big);
		ClaimedJob deferred = database.claimOne(this.worker);
		assertThat(deferred.payload()).isNull();
		assertThat(deferred.payloadDeferred()).isTrue();
		assertThat(database.jobs().leases().payload(this.worker, deferred.lease(), big.length()))
			.hasValue(new StoredPayload(big.length(), big));
		assertThat(database.jobs().leases().payload(this.worker, deferred.lease(), big.length() - 1))
			.as("too long to be read")
			.hasValue(new StoredPayload(big.length(), null));
		assertThat(database.jobs().leases().payload(this.worker, new Lease(id, 7), big.length())).as("of another lease")
			.isEmpty();
		enqueue(null);
		assertThat(database.claimOne(this.worker).payloadDeferred()).as("there is none").isFalse();
	}

	private long enqueue(@Nullable String payload) {
		return database.jobs().enqueue(List.of(NewJobs.of(JobRequest.of("test"), payload))).get(0).id();
	}

	@Test
	void aClaimLeasesTheJobAndBeginsAnAttempt() {
		long id = database.jobs()
			.enqueue(List.of(NewJobs.of(JobRequest.of("send-mail").queue("mail").priority(3).maxAttempts(7), "[1]")))
			.get(0)
			.id();
		Instant before = database.now();
		ClaimedJob job = database.claimOne(this.worker);
		assertThat(job.lease()).isEqualTo(new Lease(id, 1));
		assertThat(job.type()).isEqualTo("send-mail");
		assertThat(job.queue()).isEqualTo("mail");
		assertThat(job.priority()).isEqualTo(3);
		assertThat(job.attempt()).isEqualTo(1);
		assertThat(job.maxAttempts()).isEqualTo(7);
		assertThat(job.payload()).isEqualTo("[1]");
		assertThat(job.dueAt()).isEqualTo(database.find(id).runAt());
		assertThat(PostgresTime.instant(job.orderAt())).isEqualTo(database.orderAt(id));
		assertThat(job.enqueuedAt()).isEqualTo(database.find(id).createdAt());
		assertThat(database.state(id)).isEqualTo(JobState.STARTING);
		assertThat(database.find(id).startedAt()).isBetween(before, database.now());
		assertThat(database.claim(this.worker, 10)).isEmpty();
	}

	@Test
	void nothingIsClaimedFromAnEmptyQueue() {
		assertThat(claim(10, lane("default", "type", 0))).isEmpty();
		assertThat(database.jobs().claim(new Claim(this.worker, Map.of(), List.of())).jobs()).isEmpty();
	}

	@Test
	void theHighestPriorityGoesFirstThenTheEarliestDeadlineThenTheLowestId() {
		JobRequest job = JobRequest.of("type").runAt(PAST);
		List<Long> ids = database.enqueue(job.tolerance(Duration.ofDays(1)), job, job, job.priority(-1),
				job.priority(5).tolerance(Duration.ofDays(2)));
		assertThat(database.claim(this.worker, 10)).extracting((claimed) -> claimed.lease().jobId())
			.containsExactly(ids.get(4), ids.get(1), ids.get(2), ids.get(0), ids.get(3));
	}

	@Test
	void aClaimThatCannotTakeAllTakesTheMostUrgent() {
		JobRequest job = JobRequest.of("type").runAt(PAST);
		List<Long> ids = database.enqueue(job.tolerance(Duration.ofDays(1)), job, job, job.priority(-1),
				job.priority(5).tolerance(Duration.ofDays(2)));
		assertThat(database.claim(this.worker, 2)).extracting((claimed) -> claimed.lease().jobId())
			.containsExactly(ids.get(4), ids.get(1));
		assertThat(database.claim(this.worker, 2)).extracting((claimed) -> claimed.lease().jobId())
			.containsExactly(ids.get(2), ids.get(0));
		assertThat(database.claim(this.worker, 2)).extracting((claimed) -> claimed.lease().jobId())
			.containsExactly(ids.get(3));
	}

	@Test
	void lanesAreReadInTheOrderInWhichTheyAreGiven() {
		database.enqueue(JobRequest.of("a"), JobRequest.of("b"), JobRequest.of("c"));
		assertThat(claim(2, lane("default", "c", 0), lane("default", "a", 0), lane("default", "b", 0)))
			.extracting(ClaimedJob::type)
			.containsExactlyInAnyOrder("a", "c");
	}

	@Test
	void thePoolsLimitHoldsForAllOfItsLanesTogether() {
		enqueueEach(20, "a", "b", "c", "d");
		List<ClaimedJob> jobs = database.jobs()
			.claim(new Claim(this.worker, Map.of("one", 25, "two", 3, "none", 0),
					List.of(poolLane("one", "a"), poolLane("two", "b"), poolLane("one", "c"), poolLane("none", "d"))))
			.jobs();
		assertThat(jobs).filteredOn((job) -> job.type().equals("a")).hasSize(20);
		assertThat(jobs).filteredOn((job) -> job.type().equals("b")).hasSize(3);
		assertThat(jobs).filteredOn((job) -> job.type().equals("c")).hasSize(5);
		assertThat(jobs).hasSize(28);
		assertThat(database.count("job where state = 'starting'")).isEqualTo(28);
	}

	@Test
	void aLaneOfAPoolWithoutALimitIsNotRead() {
		database.enqueue(JobRequest.of("a"));
		assertThat(
				database.jobs().claim(new Claim(this.worker, Map.of("one", 1), List.of(poolLane("two", "a")))).jobs())
			.isEmpty();
	}

	@Test
	void onlyTheLanesGivenAreRead() {
		long id = database.enqueue(JobRequest.of("type").queue("mail").priority(1));
		database.enqueue(JobRequest.of("type").queue("mail"), JobRequest.of("type").priority(1),
				JobRequest.of("other").queue("mail").priority(1));
		assertThat(claim(10, lane("mail", "type", 1))).extracting((job) -> job.lease().jobId()).containsExactly(id);
	}

	@Test
	void jobsBeforeTheMarkAreNotRead() {
		database.enqueue(JobRequest.of("type").runAt(PAST));
		long id = database.enqueue(JobRequest.of("type").runAt(PAST.plusSeconds(1)));
		LaneHead head = new LaneHead(new Lane("default", "type", 0), PAST.plusSeconds(1).toString());
		assertThat(claim(10, head)).extracting((job) -> job.lease().jobId()).containsExactly(id);
		assertThat(claim(10, lane("default", "type", 0))).hasSize(1);
	}

	@Test
	void jobsThatAnotherTransactionHasLockedAreSkipped() throws Exception {
		List<Long> ids = database.enqueue(JobRequest.of("type"), JobRequest.of("type"), JobRequest.of("type"));
		try (OpenTransaction transaction = database.begin()) {
			transaction.execute("select from {schema}.job where id = " + ids.get(0) + " for update");
			assertThat(database.claim(this.worker, 2)).extracting((job) -> job.lease().jobId())
				.containsExactly(ids.get(1), ids.get(2));
		}
		assertThat(database.claim(this.worker, 2)).extracting((job) -> job.lease().jobId()).containsExactly(ids.get(0));
	}

	@Test
	void aClaimThatRollsBackLeavesTheJobAsItWas() throws Exception {
		long id = database.enqueue(JobRequest.of("type"));
		try (OpenTransaction transaction = database.begin()) {
			assertThat(transaction.jobs()
				.claim(new Claim(this.worker, Map.of("pool", 1), List.of(poolLane("pool", "type"))))
				.jobs()).hasSize(1);
			transaction.rollback();
		}
		assertThat(database.claimOne(this.worker).attempt()).isEqualTo(1);
		assertThat(database.find(id).attempt()).isEqualTo(1);
	}

	@Test
	void aClaimOfUntouchedJobsPassesOverThoseThatAnotherTransactionHasLocked() throws Exception {
		List<Long> ids = database.enqueue(JobRequest.of("type"), JobRequest.of("type"), JobRequest.of("type"));
		try (OpenTransaction transaction = database.begin()) {
			transaction.execute("select from {schema}.job where id = " + ids.get(0) + " for update");
			Claimed claimed = claim(asking(2, lane("default", "type", 0)).ofUntouched());
			assertThat(claimed.jobs()).extracting((job) -> job.lease().jobId()).containsExactly(ids.get(1), ids.get(2));
			assertThat(claimed.touched()).isFalse();
		}
	}

	@Test
	void aJobThatWasLockedIsLeftToAClaimOfAnyJobs() throws Exception {
		Claim claim = asking(10, lane("default", "type", 0));
		for (boolean committed : List.of(true, false)) {
			long id = database.enqueue(JobRequest.of("type"));
			try (OpenTransaction transaction = database.begin()) {
				transaction.execute("select from {schema}.job where id = " + id + " for update");
				if (committed) {
					transaction.commit();
				}
				else {
					transaction.rollback();
				}
			}
			assertThat(claim(claim.ofUntouched()).jobs()).isEmpty();
			Claimed claimed = claim(claim);
			assertThat(claimed.jobs()).extracting((job) -> job.lease().jobId()).containsExactly(id);
			assertThat(claimed.touched()).isTrue();
		}
		database.enqueue(JobRequest.of("type"));
		assertThat(claim(claim)).returns(false, Claimed::touched)
			.satisfies((claimed) -> assertThat(claimed.jobs()).hasSize(1));
	}

	@Test
	void aReleasedJobIsUntouched() {
		Lease lease = database.lease(this.worker, "type");
		database.jobs().outcomes().release(this.worker, List.of(lease));
		assertThat(claim(asking(10, lane("default", "type", 0)).ofUntouched()).jobs()).hasSize(1);
	}

	/** As one does that promotes, retries, admits or releases it. */
	@Test
	void aJobThatWasLockedAndThenChangedIsUntouched() throws Exception {
		long id = database.enqueue(JobRequest.of("type"));
		try (OpenTransaction transaction = database.begin()) {
			transaction.execute("select from {schema}.job where id = " + id + " for update");
			transaction.execute("update {schema}.job set max_attempts = 7 where id = " + id);
			transaction.commit();
		}
		assertThat(claim(asking(10, lane("default", "type", 0)).ofUntouched())).returns(false, Claimed::touched)
			.satisfies((claimed) -> assertThat(claimed.jobs()).hasSize(1));
	}

	@Test
	void aDeadWorkerClaimsNothing() {
		database.enqueue(JobRequest.of("type"));
		database.kill(this.worker);
		assertThat(database.claim(this.worker, 10)).isEmpty();
		assertThat(database.claim(database.worker(), 10)).hasSize(1);
	}

	@Test
	void anUnknownWorkerClaimsNothing() {
		database.enqueue(JobRequest.of("type"));
		assertThat(database.claim(this.worker + 1, 10)).isEmpty();
	}

	@Test
	void scheduledAndFailedJobsAreNotClaimed() {
		Lease lease = database.lease(this.worker, "type");
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "error", null)));
		database.enqueue(JobRequest.of("type").delay(Duration.ofDays(1)));
		assertThat(claim(10, lane("default", "type", 0))).isEmpty();
	}

	@Test
	void eachClaimOfAJobHasANewToken() {
		Lease first = database.lease(this.worker, "type");
		database.jobs().outcomes().release(this.worker, List.of(first));
		Lease second = database.claimOne(this.worker).lease();
		assertThat(second.jobId()).isEqualTo(first.jobId());
		assertThat(second.token()).isGreaterThan(first.token());
	}

	@Test
	void twoClaimersNeverGetTheSameJobAndLeaveNone() {
		int jobs = 4000;
		JobRequest[] batch = IntStream.range(0, 1000)
			.mapToObj((i) -> JobRequest.of("type-" + i % 3).priority(i % 2))
			.toArray(JobRequest[]::new);
		for (int i = 0; i < jobs / batch.length; i++) {
			database.enqueue(batch);
		}
		List<LaneHead> heads = database.jobs().sweep().heads();
		List<Future<List<Long>>> claimers = IntStream.range(0, 2)
			.mapToObj((i) -> database.async(() -> claimAll(database.worker(), heads)))
			.toList();
		List<Long> claimed = claimers.stream().map(StoreDatabase::result).flatMap(List::stream).toList();
		assertThat(claimed).doesNotHaveDuplicates().hasSize(jobs);
		assertThat(database.query("select max(lease) from {schema}.job", Integer.class)).isEqualTo(1);
	}

	private static List<Long> claimAll(long worker, List<LaneHead> heads) {
		Claim claim = new Claim(worker, Map.of("pool", 37),
				heads.stream().map((head) -> new PoolLane("pool", head)).toList());
		List<Long> ids = new ArrayList<>();
		for (List<ClaimedJob> jobs = database.jobs().claim(claim).jobs(); !jobs
			.isEmpty(); jobs = database.jobs().claim(claim).jobs()) {
			assertThat(jobs).hasSizeLessThanOrEqualTo(37);
			jobs.forEach((job) -> ids.add(job.lease().jobId()));
		}
		return ids;
	}

	private List<ClaimedJob> claim(int limit, LaneHead... lanes) {
		return claim(asking(limit, lanes)).jobs();
	}

	private static Claimed claim(Claim claim) {
		return database.jobs().claim(claim);
	}

	private Claim asking(int limit, LaneHead... lanes) {
		return new Claim(this.worker, Map.of("pool", limit),
				Arrays.stream(lanes).map((head) -> new PoolLane("pool", head)).toList());
	}

	private static LaneHead lane(String queue, String type, int priority) {
		return new LaneHead(new Lane(queue, type, priority), LaneHead.NO_MARK);
	}

	private static PoolLane poolLane(String pool, String type) {
		return new PoolLane(pool, lane("default", type, 0));
	}

	private static void enqueueEach(int count, String... types) {
		for (int i = 0; i < count; i++) {
			database.enqueue(Arrays.stream(types).map(JobRequest::of).toArray(JobRequest[]::new));
		}
	}

}
