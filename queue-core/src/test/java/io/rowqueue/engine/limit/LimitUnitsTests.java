package io.rowqueue.engine.limit;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.job.NewJob;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.limit.LimitView;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.testing.WorkerIdentities;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/** Jobs that take several units of the limit of their key. */
class LimitUnitsTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final LimitStore limits = database.jobs().limits();

	private final AdmissionStore admission = database.jobs().admission();

	private final HoldStore holds = database.jobs().holds();

	private long worker;

	@BeforeEach
	void worker() {
		this.worker = database.worker();
		database.workers().register(WorkerIdentities.of("elsewhere", List.of("paused"), List.of("type")));
		this.limits.set(LimitKind.KEY, "api", Limit.concurrency(5), true);
	}

	@Test
	void unitsCountForTheLimit() {
		long three = enqueue(request("api:mail", 3));
		long two = enqueue(request("api:mail", 2));
		long one = enqueue(request("api:mail"));
		this.admission.admitDue();
		assertThat(states(three, two, one)).containsExactly(JobState.QUEUED, JobState.QUEUED, JobState.BLOCKED);
		finish(two, "api:mail");
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
	void lightJobsDoNotOvertakeAHeavyOne() {
		long running = enqueue(request("api:mail", 3));
		this.admission.admitDue();
		Lease lease = claim(running);
		long heavy = enqueue(request("api:mail", 4));
		long light = enqueue(request("api:mail"));
		this.admission.admitDue();
		assertThat(states(heavy, light)).containsOnly(JobState.BLOCKED);
		database.jobs().succeed(this.worker, List.of(lease));
		this.admission.admit(List.of("api:mail"));
		assertThat(states(heavy, light)).containsOnly(JobState.QUEUED);
	}

	@Test
	void unclaimedJobsYieldAsManyUnitsAsAMoreUrgentJobTakes() {
		long heavy = admitted(request("api:mail", 2));
		long first = admitted(request("api:mail"));
		long second = admitted(request("api:mail"));
		long third = admitted(request("api:mail"));
		long urgent = enqueue(request("api:mail", 2).priority(5));
		this.admission.admitDue();
		assertThat(states(heavy, first, second, third, urgent)).containsExactly(JobState.QUEUED, JobState.QUEUED,
				JobState.BLOCKED, JobState.BLOCKED, JobState.QUEUED);
	}

	@Test
	void noUnclaimedJobYieldsIfAllUnitsThatMayBeYieldedAreTooFew() {
		claim(admitted(request("api:mail", 3)));
		long first = admitted(request("api:mail"));
		long second = admitted(request("api:mail"));
		long urgent = enqueue(request("api:mail", 4).priority(5));
		this.admission.admitDue();
		assertThat(states(first, second, urgent)).containsExactly(JobState.QUEUED, JobState.QUEUED, JobState.BLOCKED);
	}

	@Test
	void aJobThatNoWorkerCanClaimYieldsItsUnits() {
		long stuck = admitted(JobRequest.of("unknown").limitKey("api:mail", 5));
		long one = enqueue(request("api:mail", 3));
		this.admission.admitDue();
		assertThat(states(stuck, one)).containsExactly(JobState.BLOCKED, JobState.QUEUED);
	}

	/** The transaction that has locked it may be about to cancel it. */
	@Test
	void noJobYieldsToOneThatIsLocked() throws SQLException {
		long admitted = admitted(request("api:mail", 5));
		this.holds.hold(LimitKind.KEY, "api:mail", Duration.ofHours(1), "until both wait");
		long urgent = enqueue(request("api:mail", 5).priority(5));
		this.admission.admitDue();
		database.execute("delete from {schema}.pause");
		database.update("update {schema}.job set state = 'queued', awaits_key = null where id = ?", admitted);
		try (OpenTransaction other = database.begin()) {
			other.execute("select from {schema}.job where id = %d for update".formatted(urgent));
			this.admission.admit(List.of("api:mail"));
			assertThat(states(admitted, urgent)).containsExactly(JobState.QUEUED, JobState.BLOCKED);
		}
		this.admission.admit(List.of("api:mail"));
		assertThat(states(admitted, urgent)).containsExactly(JobState.BLOCKED, JobState.QUEUED);
	}

	@Test
	void aFailedJobLosesItsUnitsAndIsAdmittedAgain() {
		long first = admitted(request("api:mail", 5));
		Lease lease = claim(first);
		long next = enqueue(request("api:mail"));
		this.admission.admitDue();
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "broken", Duration.ofHours(1))));
		this.admission.admit(List.of("api:mail"));
		assertThat(states(first, next)).containsExactly(JobState.SCHEDULED, JobState.QUEUED);
		finish(next, "api:mail");
		database.update("update {schema}.job set run_at = clock_timestamp() where id = ?", first);
		this.admission.admitDue();
		assertThat(states(first)).containsExactly(JobState.QUEUED);
	}

	@Test
	void aJobThatIsHeldReturnsItsTokens() {
		this.limits.set(LimitKind.KEY, "calls", Limit.perPeriod(10, Duration.ofHours(1)), true);
		admitted(request("calls:a", 7));
		assertThat(tokens()).containsExactly(3);
		this.holds.hold(LimitKind.KEY, "calls:a", Duration.ofHours(1), "maintenance");
		assertThat(tokens()).containsExactly(10);
	}

	@Test
	void aJobThatYieldsItsPlaceReturnsItsTokens() {
		this.limits.set(LimitKind.KEY, "calls", Limit.concurrency(7).rate(10, Duration.ofHours(1)), true);
		long first = admitted(request("calls:a", 7));
		long urgent = enqueue(request("calls:a", 4).priority(5));
		this.admission.admitDue();
		assertThat(states(first, urgent)).containsExactly(JobState.BLOCKED, JobState.QUEUED);
		assertThat(tokens()).containsExactly(6);
	}

	@Test
	void unitsThatNobodyAssignedAreFound() {
		long first = admitted(request("api:mail", 3));
		long heavy = enqueue(request("api:mail", 4));
		this.admission.admitDue();
		this.admission.admitForgotten("", new HashSet<>());
		assertThat(states(heavy)).containsExactly(JobState.BLOCKED);
		database.jobs().succeed(this.worker, List.of(claim(first)));
		this.admission.admitForgotten("", new HashSet<>());
		assertThat(states(heavy)).containsExactly(JobState.QUEUED);
	}

	@Test
	void admittedJobsWaitAgainWhenTheLimitIsLowered() {
		long first = admitted(request("api:mail", 2));
		long second = admitted(request("api:mail"));
		long last = admitted(request("api:mail", 2));
		this.limits.set(LimitKind.KEY, "api", Limit.concurrency(3), true);
		this.admission.admitDue();
		assertThat(states(first, second, last)).containsExactly(JobState.QUEUED, JobState.QUEUED, JobState.BLOCKED);
	}

	@Test
	void theUnitsOfAJobAreStoredHoweverItIsEnqueued() {
		JobRequest request = request("api:mail", 3);
		JobRequest keyed = request.uniqueKey("key");
		claim(admitted(keyed));
		database.enqueue(request, keyed.duplicates(DuplicatePolicy.runAgain()), request.tags("tag"));
		database.jobs()
			.enqueue(List.of(new NewJob(JobRequest.of("type"), null, null, null, NewJobs.of(request, null))));
		database.list("select {schema}.enqueue('type', limit_key => 'api:mail', limit_units => 3)", Long.class);
		for (String table : List.of("job", "job_follow_up", "job_on_failure")) {
			assertThat(database.list(
					"select distinct limit_units from {schema}." + table + " where limit_key = 'api:mail'",
					Integer.class))
				.as(table)
				.containsExactly(3);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "limit_key => 'a', limit_units => 0", "limit_key => 'a', limit_units => 10001",
			"limit_key => 'a', limit_units => null", "limit_units => 2" })
	void sqlRejectsUnitsThatNoJobCanTake(String arguments) {
		assertThatExceptionOfType(DataAccessException.class)
			.isThrownBy(() -> database.list("select {schema}.enqueue('type', " + arguments + ")", Long.class))
			.withMessageContaining("limit_units");
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
