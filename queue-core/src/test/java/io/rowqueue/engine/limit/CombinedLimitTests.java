package io.rowqueue.engine.limit;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;

import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.explain.LimitFacts;
import io.rowqueue.engine.explain.LimitFactsStatement;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.worker.WorkerIdentity;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.limit.LimitView;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.dao.DataAccessException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/** Jobs with several limit keys, and jobs that take several units of a limit. */
class CombinedLimitTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final LimitStore limits = database.jobs().limits();

	private final AdmissionStore admission = database.jobs().admission();

	private final HoldStore holds = database.jobs().holds();

	private long worker;

	@BeforeEach
	void worker() {
		this.worker = database.worker();
		database.workers().register(new WorkerIdentity("elsewhere", List.of("paused"), List.of("type")));
		this.limits.set(LimitKind.KEY, "api", Limit.concurrency(5), true);
	}

	@Test
	void aJobIsAdmittedWhenAllItsKeysHaveRoom() {
		long first = enqueue(request("tenant:1"));
		long second = enqueue(request("tenant:1").limitKey("api:mail"));
		long other = enqueue(request("tenant:2").limitKey("api:mail"));
		this.admission.admitDue();
		assertThat(states(first, second, other)).containsExactly(JobState.QUEUED, JobState.BLOCKED, JobState.QUEUED);
		finish(first, "tenant:1");
		assertThat(states(second)).containsExactly(JobState.QUEUED);
	}

	@Test
	void theEndOfAJobWithSeveralKeysFreesEachOfThem() {
		long first = enqueue(request("tenant:1").limitKey("tenant:2"));
		long one = enqueue(request("tenant:1"));
		long two = enqueue(request("tenant:2"));
		this.admission.admitDue();
		assertThat(states(first, one, two)).containsExactly(JobState.QUEUED, JobState.BLOCKED, JobState.BLOCKED);
		finish(first, JobRequest.of("type").limitKey("tenant:1").limitKey("tenant:2").limitKey());
		assertThat(states(one, two)).containsExactly(JobState.QUEUED, JobState.QUEUED);
	}

	@Test
	void unitsCountForTheLimit() {
		long three = enqueue(request("api:mail", 3));
		long two = enqueue(request("api:mail", 2));
		long one = enqueue(request("api:mail"));
		this.admission.admitDue();
		assertThat(states(three, two, one)).containsExactly(JobState.QUEUED, JobState.QUEUED, JobState.BLOCKED);
		finish(two, request("api:mail", 2).limitKey());
		assertThat(states(one)).containsExactly(JobState.QUEUED);
	}

	@Test
	void aJobWithMoreUnitsThanTheLimitRunsAlone() {
		long light = enqueue(request("api:mail"));
		long heavy = enqueue(request("api:mail", 7));
		this.admission.admitDue();
		assertThat(states(light, heavy)).containsExactly(JobState.QUEUED, JobState.BLOCKED);
		finish(light, "api:mail");
		assertThat(states(heavy)).containsExactly(JobState.QUEUED);
		long next = enqueue(request("api:mail"));
		this.admission.admitDue();
		assertThat(states(next)).containsExactly(JobState.BLOCKED);
	}

	@Test
	void lightJobsDoNotOvertakeAHeavyOne() {
		long running = enqueue(request("api:mail", 3));
		this.admission.admitDue();
		Lease lease = claim(running);
		long heavy = enqueue(request("api:mail", 4));
		long light = enqueue(request("api:mail"));
		long several = enqueue(request("api:mail").limitKey("tenant:1"));
		this.admission.admitDue();
		this.admission.admit(List.of("tenant:1"));
		assertThat(states(heavy, light, several)).containsOnly(JobState.BLOCKED);
		database.jobs().succeed(this.worker, List.of(lease));
		this.admission.admit(List.of("api:mail"));
		assertThat(states(heavy, light, several)).containsExactly(JobState.QUEUED, JobState.QUEUED, JobState.BLOCKED);
	}

	@Test
	void aJobThatWaitsForAnotherKeyLetsLaterOnesGoFirst() {
		claim(admitted(request("tenant:1")));
		this.limits.set(LimitKind.KEY, "api", Limit.concurrency(1), true);
		long waiting = enqueue(request("tenant:1").limitKey("api:mail"));
		long later = enqueue(request("api:mail"));
		this.admission.admitDue();
		assertThat(states(waiting, later)).containsExactly(JobState.BLOCKED, JobState.QUEUED);
	}

	@Test
	void theFirstJobThatIsLateKeepsItsUnitsFree() {
		claim(admitted(request("tenant:1")));
		this.limits.set(LimitKind.KEY, "api", Limit.concurrency(2), true);
		long late = enqueue(request("tenant:1").limitKey("api:mail").runAt(Instant.now().minusSeconds(60)));
		long later = enqueue(request("api:mail"));
		long last = enqueue(request("api:mail"));
		this.admission.admitDue(true);
		assertThat(states(late, later, last)).containsExactly(JobState.BLOCKED, JobState.QUEUED, JobState.BLOCKED);
	}

	@Test
	void anUnclaimedJobYieldsToAMoreUrgentOneAndItsOtherKeysAreFree() {
		long first = admitted(request("tenant:1").limitKey("tenant:2"));
		long other = enqueue(request("tenant:2"));
		long urgent = enqueue(request("tenant:1").limitKey("tenant:3").priority(5));
		this.admission.admitDue();
		this.admission.admitDue();
		assertThat(states(first, urgent, other)).containsExactly(JobState.BLOCKED, JobState.QUEUED, JobState.QUEUED);
	}

	@Test
	void aJobThatNoWorkerCanClaimYields() {
		long stuck = admitted(JobRequest.of("unknown").limitKey("tenant:1").limitKey("tenant:2"));
		long one = enqueue(request("tenant:1").limitKey("tenant:3"));
		this.admission.admitDue();
		assertThat(states(stuck, one)).containsExactly(JobState.BLOCKED, JobState.QUEUED);
	}

	@Test
	void aFailedJobLosesItsPlacesAndIsAdmittedAgain() {
		long first = admitted(request("tenant:1").limitKey("api:mail", 5));
		Lease lease = claim(first);
		long next = enqueue(request("api:mail"));
		this.admission.admitDue();
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "broken", Duration.ofHours(1))));
		this.admission.admit(List.of(request("tenant:1").limitKey("api:mail", 5).limitKey()));
		assertThat(states(first, next)).containsExactly(JobState.SCHEDULED, JobState.QUEUED);
		finish(next, "api:mail");
		database.update("update {schema}.job set run_at = clock_timestamp() where id = ?", first);
		this.admission.admitDue();
		assertThat(states(first)).containsExactly(JobState.QUEUED);
	}

	@Test
	void unitsTakeTokens() {
		this.limits.set(LimitKind.KEY, "calls", Limit.perPeriod(10, Duration.ofHours(1)), true);
		long seven = enqueue(request("calls:a", 7));
		long four = enqueue(request("calls:a", 4));
		this.admission.admitDue();
		assertThat(states(seven, four)).containsExactly(JobState.QUEUED, JobState.BLOCKED);
		assertThat(database.list("select tokens::int from {schema}.job_key where limit_key = 'calls:a'", Integer.class))
			.containsExactly(3);
		assertThat(database.list("select extract(epoch from next_at - tokens_at)::int from {schema}.job_key"
				+ " where limit_key = 'calls:a'", Integer.class))
			.containsExactly(360);
	}

	@Test
	void aHoldOfOneKeyHoldsTheJob() {
		long job = admitted(request("tenant:1").limitKey("api:mail"));
		this.holds.hold(LimitKind.KEY, "api:mail", null, Duration.ofHours(1), "maintenance");
		assertThat(states(job)).containsExactly(JobState.BLOCKED);
		this.admission.admit(List.of("tenant:1", "api:mail"));
		assertThat(states(job)).containsExactly(JobState.BLOCKED);
		this.holds.release(LimitKind.KEY, "api:mail");
		this.admission.admitDue();
		assertThat(states(job)).containsExactly(JobState.QUEUED);
	}

	@Test
	void otherKeysOfAHeldJobAreFreeAtOnce() {
		this.limits.set(LimitKind.KEY, "api", Limit.concurrency(1), true);
		long held = admitted(request("tenant:1").limitKey("api:mail"));
		long other = enqueue(request("api:mail"));
		this.admission.admitDue();
		this.holds.hold(LimitKind.KEY, "tenant:1", null, Duration.ofHours(1), "maintenance");
		this.admission.admitDue();
		assertThat(states(held, other)).containsExactly(JobState.BLOCKED, JobState.QUEUED);
	}

	@Test
	void aLateJobOfAHeldKeyKeepsNoUnitsFreeAndIsAdmittedWhenTheHoldEnds() {
		this.limits.set(LimitKind.KEY, "api", Limit.concurrency(1), true);
		this.holds.hold(LimitKind.KEY, "tenant:1", null, Duration.ofHours(1), "maintenance");
		long late = enqueue(request("tenant:1").limitKey("api:mail").runAt(Instant.now().minusSeconds(60)));
		long other = enqueue(request("api:mail"));
		this.admission.admitDue(true);
		assertThat(states(late, other)).containsExactly(JobState.BLOCKED, JobState.QUEUED);
		assertThat(this.admission.admitDue().again()).as("it is looked at when the hold ends")
			.isGreaterThan(Duration.ofMinutes(59));
		finish(other, "api:mail");
		assertThat(states(late)).containsExactly(JobState.BLOCKED);
		database.update("update {schema}.pause set open_from = clock_timestamp()");
		database.update("update {schema}.job_key set next_at = clock_timestamp() where next_at is not null");
		this.admission.admitDue();
		assertThat(states(late)).containsExactly(JobState.QUEUED);
	}

	@Test
	void aJobThatIsHeldReturnsItsTokens() {
		this.limits.set(LimitKind.KEY, "calls", Limit.perPeriod(10, Duration.ofHours(1)), true);
		this.limits.set(LimitKind.KEY, "mails", Limit.perPeriod(10, Duration.ofHours(1)), true);
		admitted(request("calls:a", 7).limitKey("mails:a", 2));
		this.holds.hold(LimitKind.KEY, "calls:a", null, Duration.ofHours(1), "maintenance");
		assertThat(tokens()).containsExactly(10, 10);
	}

	@Test
	void aJobThatYieldsItsPlaceReturnsTheTokensOfAllItsKeys() {
		this.limits.set(LimitKind.KEY, "calls", Limit.perPeriod(10, Duration.ofHours(1)), true);
		long first = admitted(request("tenant:1").limitKey("calls:a", 7));
		assertThat(tokens()).containsExactly(3);
		long urgent = enqueue(request("tenant:1").priority(5));
		this.admission.admitDue();
		assertThat(states(first, urgent)).containsExactly(JobState.BLOCKED, JobState.QUEUED);
		assertThat(tokens()).containsExactly(10);
	}

	@Test
	void combinationsThatWereForgottenAreAdmittedAsTheirCommonKeyAllows() {
		this.limits.set(LimitKind.KEY, "api", Limit.concurrency(2), true);
		long[] jobs = new long[5];
		for (int tenant = 0; tenant < jobs.length; tenant++) {
			jobs[tenant] = enqueue(request("tenant:" + tenant).limitKey("api:mail"));
		}
		this.holds.hold(LimitKind.KEY, "api:mail", null, Duration.ofHours(1), "until all wait");
		this.admission.admitDue();
		database.execute("delete from {schema}.pause");
		this.admission.admitForgotten("", new HashSet<>());
		assertThat(states(jobs)).containsExactly(JobState.QUEUED, JobState.QUEUED, JobState.BLOCKED, JobState.BLOCKED,
				JobState.BLOCKED);
	}

	@Test
	void theRoomOfACommonKeyIsComputedOnceForAllForgottenCombinations() throws SQLException {
		this.limits.set(LimitKind.KEY, "api", Limit.concurrency(1), true);
		claim(admitted(request("api:mail")));
		for (int tenant = 0; tenant < 20; tenant++) {
			enqueue(request("tenant:" + tenant).limitKey("api:mail"));
		}
		this.admission.admitDue();
		try (OpenTransaction transaction = database.begin()) {
			transaction.execute("set local track_functions = 'pl'");
			transaction.execute("select {schema}.admit_forgotten('', 500)");
			transaction.execute("do $$ begin assert (select calls from pg_stat_xact_user_functions"
					+ " where funcname = 'limit_room') = 21, 'calls for 21 keys'; end $$");
		}
	}

	@Test
	void aLimitKeyThatOnlyLooksLikeACombinationIsNotStored() {
		long job = enqueue(request("tenant:1").limitKey("api:mail"));
		long odd = enqueue(request("tenant:\"1\"").limitKey("a\\b, c:{d}", 10_000));
		for (String wrong : List.of("all:", "all:x", "all:{}", "all:{\"a\":x}", "all:{\"a\":0}", "all:[1]",
				"all:{\"a\":1,}", "all:{\"all:a\":1}", "all:{\"a\\ud800\":1}", "all:{\"a\\u0000\":1}", "all:{\"a\":1}}",
				"all:{\"a\":1}\n")) {
			assertThatExceptionOfType(DataAccessException.class).as(wrong)
				.isThrownBy(() -> database
					.update("insert into {schema}.job (queue, type, state, run_at, order_at, limit_key)"
							+ " values ('default', 'type', 'scheduled', now(), now(), ?)", wrong))
				.withMessageContaining("job_combined_key");
		}
		this.admission.admitDue();
		assertThat(states(job, odd)).containsOnly(JobState.QUEUED);
	}

	@Test
	void aKeyThatAnotherTransactionHasLockedIsNotWaitedFor() throws SQLException {
		long job = admitted(request("tenant:1").limitKey("api:mail"));
		database.update("update {schema}.job set state = 'blocked', awaits_key = true where id = ?", job);
		try (OpenTransaction other = database.begin()) {
			other.execute("select from {schema}.job_key where limit_key = 'tenant:1' for update");
			this.admission.admit(List.of("api:mail"));
			assertThat(states(job)).containsExactly(JobState.BLOCKED);
		}
		assertThat(database.list("select limit_key from {schema}.job_key where next_at is not null", String.class))
			.containsExactly("api:mail");
		this.admission.admitForgotten("", new HashSet<>());
		assertThat(states(job)).containsExactly(JobState.QUEUED);
	}

	@Test
	void whatNobodyAdmittedIsFound() {
		long first = admitted(request("tenant:1").limitKey("api:mail"));
		long second = enqueue(request("tenant:1").limitKey("api:sms"));
		this.admission.admitDue();
		database.jobs().succeed(this.worker, List.of(claim(first)));
		this.admission.admitForgotten("", new HashSet<>());
		assertThat(states(second)).containsExactly(JobState.QUEUED);
	}

	@Test
	void theKeyThatAJobWaitsForIsKnown() {
		long first = admitted(request("tenant:1"));
		long second = enqueue(request("tenant:1").limitKey("api:mail", 2));
		this.admission.admitDue();
		List<LimitFacts> facts = new LimitFactsStatement(database.queueDatabase()).execute(second);
		assertThat(facts).extracting(LimitFacts::name, LimitFacts::isReached, LimitFacts::units, LimitFacts::heldBy)
			.containsExactly(tuple("api:mail", false, 2, List.of()), tuple("tenant:1", true, 1, List.of(first)));
	}

	@Test
	void theUnitsInUseAreShown() {
		this.limits.set(LimitKind.KEY, "api:mail", Limit.concurrency(10), true);
		admitted(request("api:mail", 3));
		admitted(request("api:mail"));
		assertThat(this.limits.list()).filteredOn((limit) -> limit.name().equals("api:mail"))
			.extracting(LimitView::held)
			.containsExactly(4);
		assertThat(this.limits.list()).filteredOn((limit) -> limit.name().equals("api"))
			.extracting(LimitView::held)
			.containsOnlyNulls();
	}

	@Test
	void admittedJobsWaitAgainWhenTheLimitOfOneKeyIsLowered() {
		long first = admitted(request("tenant:1").limitKey("api:mail", 2));
		long plain = admitted(request("api:mail"));
		long last = admitted(request("tenant:2").limitKey("api:mail", 2));
		this.limits.set(LimitKind.KEY, "api", Limit.concurrency(3), true);
		this.admission.admitDue();
		assertThat(states(first, plain, last)).containsExactly(JobState.QUEUED, JobState.QUEUED, JobState.BLOCKED);
		long other = admitted(request("tenant:2"));
		assertThat(states(first, plain, last, other)).as("its other key is free")
			.containsExactly(JobState.QUEUED, JobState.QUEUED, JobState.BLOCKED, JobState.QUEUED);
	}

	@Test
	void sqlStoresTheSameCombinationAsJava() {
		String written = "all:{ \"tenant:42\" : 1, \"api:\\u006dail\" : 5 }";
		List<Long> ids = database.list("select {schema}.enqueue('type', limit_key => ?)", Long.class, written);
		assertThat(database.list("select limit_key from {schema}.job where id = ?", String.class, ids.get(0)))
			.containsExactly(request("tenant:42").limitKey("api:mail", 5).limitKey());
		for (String wrong : List.of("all:", "all:x", "all:{}", "all:{\"a\":0.5}", "all:{\"a\":20000}",
				"all:{\"fair:a\":1,\"b\":1}", "all:{\"\":1}", "all:[1]",
				"all:{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1}")) {
			assertThatExceptionOfType(DataAccessException.class).as(wrong)
				.isThrownBy(() -> database.list("select {schema}.enqueue('type', limit_key => ?)", Long.class, wrong))
				.withMessageContaining("a combined limit_key must be");
		}
	}

	@Test
	void unusedCombinationsAreForgotten() {
		long job = admitted(request("tenant:1").limitKey("api:mail"));
		finish(job, "api:mail");
		this.admission.forgetOld();
		assertThat(database.list("select member from {schema}.limit_member", String.class)).isEmpty();
		assertThat(database.list("select member from {schema}.limit_permit", String.class)).isEmpty();
		this.admission.forgetKeys("");
		assertThat(database.list("select limit_key from {schema}.job_key", String.class)).isEmpty();
	}

	/** The tokens of the keys that have a rate. */
	private static List<Integer> tokens() {
		return database.list(
				"select round(tokens)::int from {schema}.job_key where tokens is not null order by limit_key",
				Integer.class);
	}

	private long admitted(JobRequest request) {
		long id = enqueue(request);
		this.admission.admitDue(true);
		assertThat(database.state(id)).isEqualTo(JobState.QUEUED);
		return id;
	}

	private void finish(long id, String key) {
		database.jobs().succeed(this.worker, List.of(claim(id)));
		this.admission.admit(List.of(key));
	}

	private Lease claim(long id) {
		return database.claim(this.worker, 10)
			.stream()
			.map(ClaimedJob::lease)
			.filter((lease) -> lease.jobId() == id)
			.findFirst()
			.orElseThrow();
	}

	private static JobRequest request(String key) {
		return JobRequest.of("type").limitKey(key);
	}

	private static JobRequest request(String key, int units) {
		return JobRequest.of("type").limitKey(key, units);
	}

	private static long enqueue(JobRequest request) {
		return database.enqueue(request);
	}

	private static List<JobState> states(long... ids) {
		return Arrays.stream(ids).mapToObj(database::state).toList();
	}

}
