package io.rowqueue.engine.lease;

import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.lease.ClaimStore.LimitedClaim;
import io.rowqueue.engine.limit.LimitStore;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.limit.LimitView;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** A claim under the limits of queues and types. */
class LimitedClaimTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final LimitStore limits = database.jobs().limits();

	private long worker;

	private long other;

	@BeforeEach
	void workers() {
		this.worker = database.worker();
		this.other = database.worker();
	}

	@Test
	void aClaimTakesAsManyJobsAsTheQueueAllowsInAllWorkers() {
		this.limits.set(LimitKind.QUEUE, "default", Limit.concurrency(3), true);
		enqueue(10, "type");
		assertThat(claim(this.worker, 2)).hasSize(2);
		assertThat(claim(this.other, 10)).hasSize(1);
		assertThat(claim(this.worker, 10)).isEmpty();
		assertThat(held("default")).isEqualTo(3);
	}

	@Test
	void aClaimTakesAsManyJobsAsTheTypeAllowsInAllQueues() {
		this.limits.set(LimitKind.TYPE, "type", Limit.concurrency(3), true);
		database.enqueue(JobRequest.of("type").queue("a"), JobRequest.of("type").queue("a"),
				JobRequest.of("type").queue("b"), JobRequest.of("type").queue("b"));
		assertThat(claim(this.worker, 10)).hasSize(3);
	}

	@Test
	void aClaimTakesTheLesserOfTwoLimits() {
		this.limits.set(LimitKind.QUEUE, "default", Limit.concurrency(4), true);
		this.limits.set(LimitKind.TYPE, "type", Limit.concurrency(1), true);
		enqueue(5, "type");
		enqueue(5, "other");
		assertThat(claim(this.worker, 10)).extracting(ClaimedJob::type).containsOnlyOnce("type").hasSize(4);
	}

	/** Its place is free without a further statement, whatever its outcome. */
	@Test
	void aPlaceIsFreeWhenTheLeaseHasEnded() {
		this.limits.set(LimitKind.QUEUE, "default", Limit.concurrency(5), true);
		enqueue(20, "type");
		List<Lease> leases = claim(this.worker, 10).stream().map(ClaimedJob::lease).toList();
		assertThat(claim(this.other, 10)).isEmpty();
		database.jobs().succeed(this.worker, List.of(leases.get(0)));
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(leases.get(1), "broken", null)));
		database.jobs().outcomes().snooze(this.worker, List.of(new Snooze(leases.get(2), Duration.ofDays(1), null)));
		database.jobs().cancel(this.worker, List.of(leases.get(3)));
		assertThat(claim(this.other, 10)).hasSize(4);
		database.jobs().outcomes().release(this.worker, List.of(leases.get(4)));
		assertThat(claim(this.other, 10)).hasSize(1);
	}

	@Test
	void aDeadWorkersPlacesAreFreeWhenItsJobsAreRecovered() {
		this.limits.set(LimitKind.QUEUE, "default", Limit.concurrency(2), true);
		enqueue(4, "type");
		assertThat(claim(this.worker, 10)).hasSize(2);
		database.kill(this.worker);
		assertThat(claim(this.other, 10)).isEmpty();
		database.recovery().recover(3, 100);
		assertThat(claim(this.other, 10)).hasSize(2);
	}

	@Test
	void jobsThatWereClaimedBeforeThereWasALimitCount() {
		enqueue(5, "type");
		database.claim(this.worker, 3);
		this.limits.set(LimitKind.TYPE, "type", Limit.concurrency(4), true);
		assertThat(claim(this.other, 10)).hasSize(1);
	}

	/** Nobody has claimed under the limit meanwhile: there were no other jobs. */
	@Test
	void jobsThatWereClaimedLongBeforeTheFirstClaimUnderALimitCount() {
		enqueue(5, "type");
		database.claim(this.worker, 3);
		this.limits.set(LimitKind.TYPE, "type", Limit.concurrency(4), true);
		database.execute("update {schema}.job_limit set changed_at = changed_at - interval '10 minutes'");
		assertThat(claim(this.other, 10)).hasSize(1);
	}

	/**
	 * A worker learns of a limit with its next sweep, which may be half a minute away.
	 */
	@Test
	void jobsThatAWorkerClaimsBeforeItKnowsOfTheLimitCount() {
		enqueue(5, "type");
		this.limits.set(LimitKind.TYPE, "type", Limit.concurrency(4), true);
		database.execute("update {schema}.job_limit set changed_at = changed_at - interval '45 seconds'");
		database.claim(this.worker, 3);
		assertThat(claim(this.other, 10)).hasSize(1);
	}

	@Test
	void aLimitThatIsBeingClaimedUnderIsNotWaitedFor() throws SQLException {
		this.limits.set(LimitKind.QUEUE, "default", Limit.concurrency(2), true);
		enqueue(3, "type");
		database.enqueue(JobRequest.of("type").queue("free"));
		try (OpenTransaction elsewhere = database.begin()) {
			elsewhere.execute("select from {schema}.job_limit for update");
			LimitedClaim claimed = claimLimited(this.worker, 10);
			assertThat(claimed.jobs()).extracting(ClaimedJob::queue).containsExactly("free");
			assertThat(claimed.again()).isBetween(Duration.ZERO, Duration.ofMillis(10));
		}
		assertThat(claim(this.worker, 10)).hasSize(2);
	}

	@Test
	void aRateIsABucketOfTokensAndUnusedOnesStay() {
		this.limits.set(LimitKind.TYPE, "type", Limit.perPeriod(1, Duration.ofDays(100)).burst(4), true);
		enqueue(1, "type");
		assertThat(claimLimited(this.worker, 10).jobs()).hasSize(1);
		enqueue(10, "type");
		LimitedClaim rest = claimLimited(this.worker, 10);
		assertThat(rest.jobs()).hasSize(3);
		assertThat(rest.again()).isBetween(Duration.ofDays(99), Duration.ofDays(100));
		assertThat(claim(this.other, 10)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 1_000_000 })
	void aRateCanBeAsHighAsANumberOfJobsCanBe(long micros) {
		Limit limit = Limit.perPeriod(Integer.MAX_VALUE, Duration.of(micros, ChronoUnit.MICROS));
		this.limits.set(LimitKind.TYPE, "type", limit, true);
		enqueue(3, "type");
		assertThat(claim(this.worker, 2)).hasSize(2);
		assertThat(claim(this.worker, 2)).hasSize(1);
	}

	@Test
	void tokensComeWithTimeUpToTheBurst() {
		this.limits.set(LimitKind.TYPE, "type", Limit.perPeriod(2, Duration.ofHours(1)), true);
		enqueue(10, "type");
		assertThat(claim(this.worker, 10)).hasSize(2);
		database.update("update {schema}.job_limit set tokens_at = tokens_at - interval '31 minutes'");
		assertThat(claim(this.worker, 10)).hasSize(1);
		database.update("update {schema}.job_limit set tokens_at = tokens_at - interval '10 hours'");
		assertThat(claim(this.worker, 10)).hasSize(2);
	}

	/**
	 * Workers are always a little late: without that a bucket of one would lose tokens.
	 */
	@Test
	void aTokenThatComesWhileAWorkerIsOnItsWayIsNotLost() {
		this.limits.set(LimitKind.TYPE, "type", Limit.perPeriod(1, Duration.ofHours(1)), true);
		enqueue(10, "type");
		filling(Duration.ofMinutes(90));
		LimitedClaim claimed = claimLimited(this.worker, 10);
		assertThat(claimed.jobs()).hasSize(1);
		assertThat(claimed.again()).isBetween(Duration.ofMinutes(28), Duration.ofMinutes(30));
	}

	@Test
	void neverMoreThanTheBurstBeginsAtOnce() {
		this.limits.set(LimitKind.TYPE, "type", Limit.perPeriod(1000, Duration.ofHours(1)).burst(2), true);
		enqueue(10, "type");
		filling(Duration.ofMillis(3600 * 27 / 10));
		assertThat(claim(this.worker, 10)).hasSize(2);
		filling(Duration.ofHours(5));
		assertThat(claim(this.worker, 10)).as("after a rest").hasSize(2);
		assertThat(tokens()).isLessThan(1);
	}

	/** They come while the rows of the jobs are written as well. */
	@Test
	void theTokensThatComeDuringAClaimCount() {
		this.limits.set(LimitKind.TYPE, "type", Limit.perPeriod(100, Duration.ofSeconds(1)).burst(1), true);
		enqueue(1, "type");
		database.execute("create function {schema}.linger() returns trigger language plpgsql as $$ begin"
				+ " perform pg_sleep(0.2); return new; end $$;"
				+ " create trigger linger before update on {schema}.job for each row execute function {schema}.linger()");
		try {
			assertThat(claim(this.worker, 10)).hasSize(1);
		}
		finally {
			database.execute("drop trigger linger on {schema}.job; drop function {schema}.linger()");
		}
		assertThat(tokens()).isGreaterThanOrEqualTo(20);
	}

	/** A rate gets new tokens at once, not only when the clock is where it was before. */
	@Test
	void aRateContinuesWhenTheClockWasSetBack() {
		this.limits.set(LimitKind.TYPE, "type", Limit.perPeriod(1, Duration.ofHours(1)), true);
		enqueue(10, "type");
		filling(Duration.ofDays(-3));
		assertThat(claimLimited(this.worker, 10).again()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
		database.update("update {schema}.job_limit set tokens_at = tokens_at - interval '61 minutes'");
		assertThat(claim(this.worker, 10)).hasSize(1);
	}

	/** The bucket has been filling for that long. */
	private static void filling(Duration since) {
		database.update("update {schema}.job_limit set tokens = 0,"
				+ " tokens_at = clock_timestamp() - ? * interval '1 second'", since.toMillis() / 1000.0);
	}

	private static double tokens() {
		return database.query("select tokens from {schema}.job_limit", Double.class);
	}

	@Test
	void aRateCountsWhateverTheNameOfItsQueueLooksLike() {
		this.limits.set(LimitKind.QUEUE, " type of queue", Limit.perPeriod(2, Duration.ofDays(100)), true);
		for (int job = 0; job < 5; job++) {
			database.enqueue(JobRequest.of("type").queue(" type of queue"));
		}
		assertThat(claim(this.worker, 10)).hasSize(2);
		assertThat(claim(this.worker, 10)).isEmpty();
	}

	@Test
	void nothingIsClaimedByADeadWorkerOrFromAPausedQueue() {
		this.limits.set(LimitKind.QUEUE, "default", Limit.concurrency(2), true);
		enqueue(3, "type");
		database.update("insert into {schema}.pause (kind, name) values ('queue', 'default')");
		assertThat(claim(this.worker, 10)).isEmpty();
		database.update("delete from {schema}.pause");
		database.kill(this.worker);
		assertThat(claim(this.worker, 10)).isEmpty();
	}

	@Test
	void aQueueIsClaimedWhileItsWindowIsOpenOnly() {
		this.limits.set(LimitKind.QUEUE, "default", Limit.concurrency(2), true);
		enqueue(3, "type");
		database.update("insert into {schema}.pause (kind, name, source, open_from, open_until) values ('queue',"
				+ " 'default', 'night', now() + interval '1 hour', now() + interval '2 hours')");
		assertThat(claim(this.worker, 10)).isEmpty();
		database.update("update {schema}.pause set open_from = now() - interval '1 hour'");
		assertThat(claim(this.worker, 10)).hasSize(2);
	}

	/** Also those that were claimed before, and together with a limit of one queue. */
	@Test
	void theQueuesOfAClassShareItsLimit() {
		for (String queue : List.of("closing:a", "closing:b", "closing:c", "closing")) {
			database.enqueue(JobRequest.of("type").queue(queue), JobRequest.of("type").queue(queue));
		}
		List<ClaimedJob> before = database.claim(this.other, 1);
		this.limits.set(LimitKind.QUEUE, "closing:*", Limit.concurrency(4), true);
		this.limits.set(LimitKind.QUEUE, "closing:a", Limit.concurrency(1), true);
		assertThat(before).extracting(ClaimedJob::queue).containsExactly("closing:a");
		assertThat(claim(this.worker, 10)).extracting(ClaimedJob::queue)
			.containsExactlyInAnyOrder("closing:b", "closing:b", "closing:c", "closing", "closing");
		assertThat(claim(this.worker, 10)).isEmpty();
		assertThat(held("closing:*")).isEqualTo(4);
		assertThat(held("closing:a")).isEqualTo(1);
		database.jobs().succeed(this.other, before.stream().map(ClaimedJob::lease).toList());
		assertThat(claim(this.worker, 10)).hasSize(1);
	}

	@Test
	void theQueuesOfAClassShareItsRateAndItsPause() {
		this.limits.set(LimitKind.QUEUE, "closing:*", Limit.perPeriod(3, Duration.ofHours(1)), true);
		for (String queue : List.of("closing:a", "closing:b", "closing:*")) {
			database.enqueue(JobRequest.of("type").queue(queue), JobRequest.of("type").queue(queue));
		}
		database.update("insert into {schema}.pause (kind, name) values ('queue', 'closing:*')");
		assertThat(claim(this.worker, 10)).isEmpty();
		database.update("delete from {schema}.pause");
		assertThat(claim(this.worker, 10)).hasSize(3);
		assertThat(claimLimited(this.worker, 10).again()).isBetween(Duration.ofMinutes(19), Duration.ofMinutes(20));
	}

	@Test
	void theMostUrgentGoFirst() {
		this.limits.set(LimitKind.QUEUE, "default", Limit.concurrency(2), true);
		database.enqueue(JobRequest.of("type").priority(1), JobRequest.of("type").priority(3),
				JobRequest.of("type").priority(2));
		assertThat(claim(this.worker, 10)).extracting(ClaimedJob::priority).containsExactly(3, 2);
	}

	@Test
	void aLimitThatWasSetManuallyTakesPrecedenceOverProperties() {
		assertThat(this.limits.set(LimitKind.QUEUE, "default", Limit.concurrency(2), false)).isTrue();
		assertThat(this.limits.set(LimitKind.QUEUE, "default", Limit.concurrency(2), false)).isFalse();
		assertThat(this.limits.set(LimitKind.QUEUE, "default", Limit.concurrency(5), true)).isTrue();
		assertThat(this.limits.set(LimitKind.QUEUE, "default", Limit.concurrency(2), false)).isFalse();
		assertThat(this.limits.list()).extracting(LimitView::limit).containsExactly(Limit.concurrency(5));
		assertThat(this.limits.remove(LimitKind.QUEUE, "default")).isTrue();
		assertThat(this.limits.remove(LimitKind.QUEUE, "default")).isFalse();
		assertThat(database.jobs().sweep().limited()).isEmpty();
	}

	@Test
	void aLimitIsReadAsItWasSet() {
		Limit limit = Limit.concurrency(1).rate(100, Duration.ofMinutes(1)).burst(7);
		this.limits.set(LimitKind.KEY, "customer", limit, false);
		assertThat(this.limits.list()).singleElement().satisfies((view) -> {
			assertThat(view.limit()).isEqualTo(limit);
			assertThat(view.kind()).isEqualTo(LimitKind.KEY);
			assertThat(view.setManually()).isFalse();
		});
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.concurrency(0)).withMessageContaining("positive");
		assertThatIllegalArgumentException().isThrownBy(() -> Limit.concurrency(2).ordered(true));
	}

	@Test
	void aSweepReportsWhichLanesAreLimited() {
		this.limits.set(LimitKind.QUEUE, "default", Limit.concurrency(2), true);
		this.limits.set(LimitKind.KEY, "customer", Limit.concurrency(2), true);
		assertThat(database.jobs().sweep().limited()).containsExactly(Sweep.queue("default"));
	}

	private void enqueue(int jobs, String type) {
		for (int job = 0; job < jobs; job++) {
			database.enqueue(JobRequest.of(type));
		}
	}

	private List<ClaimedJob> claim(long by, int max) {
		return claimLimited(by, max).jobs();
	}

	private LimitedClaim claimLimited(long by, int max) {
		return database.jobs()
			.claimLimited(new Claim(by, Map.of(StoreDatabase.POOL, max),
					database.jobs()
						.sweep()
						.heads()
						.stream()
						.map((head) -> new PoolLane(StoreDatabase.POOL, head))
						.toList()));
	}

	private int held(String queue) {
		return this.limits.list().stream().filter((view) -> view.name().equals(queue)).findFirst().orElseThrow().held();
	}

}
