package io.rowqueue.engine.limit;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.control.ControlStore;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.lease.Snooze;
import io.rowqueue.engine.limit.AdmissionStore.Admission;
import io.rowqueue.engine.signal.SignalStore;
import io.rowqueue.engine.signal.Wait;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.step.JobWait.Kind;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.testing.WorkerIdentities;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Jobs with a limit key wait outside of the lanes until it is their turn. */
class LimitKeyTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final LimitStore limits = database.jobs().limits();

	private final AdmissionStore admission = database.jobs().admission();

	private long worker;

	@BeforeEach
	void worker() {
		this.worker = database.worker();
		database.workers().register(WorkerIdentities.of("elsewhere", List.of("paused"), List.of("type")));
	}

	@Test
	void oneOfAKeyRunsAtATimeUnlessItsClassSaysMore() {
		List<Long> ones = enqueue("customer:1", 3);
		List<Long> twos = enqueue("tenant:2", 3);
		this.limits.set(LimitKind.KEY, "tenant", Limit.concurrency(2), true);
		this.admission.admitDue();
		assertThat(states(ones)).containsExactly(JobState.QUEUED, JobState.BLOCKED, JobState.BLOCKED);
		assertThat(states(twos)).containsExactly(JobState.QUEUED, JobState.QUEUED, JobState.BLOCKED);
	}

	@Test
	void theNextJobIsAdmittedWhenOneHasEnded() {
		List<Long> jobs = enqueue("customer:1", 3);
		this.admission.admitDue();
		Lease lease = database.claimOne(this.worker).lease();
		assertThat(this.admission.admit(List.of("customer:1"))).isEmpty();
		database.jobs().succeed(this.worker, List.of(lease));
		assertThat(this.admission.admit(List.of("customer:1"))).containsExactly("default");
		assertThat(states(jobs.subList(1, 3))).containsExactly(JobState.QUEUED, JobState.BLOCKED);
	}

	@Test
	void priorityAndDeadlineDetermineTheNextJob() {
		long late = enqueue(JobRequest.of("type").limitKey("k").tolerance(Duration.ofHours(1)));
		long soon = enqueue(JobRequest.of("type").limitKey("k"));
		long first = enqueue(JobRequest.of("type").limitKey("k").priority(5));
		this.admission.admitDue();
		assertThat(states(List.of(first, soon, late))).containsExactly(JobState.QUEUED, JobState.BLOCKED,
				JobState.BLOCKED);
		database.jobs().succeed(this.worker, List.of(database.claimOne(this.worker).lease()));
		this.admission.admit(List.of("k"));
		assertThat(database.state(soon)).isEqualTo(JobState.QUEUED);
	}

	/** A long transaction that has enqueued for a key delays no other job. */
	@Test
	void anOpenTransactionDelaysNoOtherJob() throws SQLException {
		try (OpenTransaction business = database.begin()) {
			business.execute("select {schema}.enqueue('type', limit_key => 'k')");
			List<Long> jobs = enqueue("k", 2);
			this.admission.admitDue();
			assertThat(database.state(jobs.get(0))).isEqualTo(JobState.QUEUED);
			database.jobs().succeed(this.worker, List.of(database.claimOne(this.worker).lease()));
			this.admission.admit(List.of("k"));
			assertThat(database.state(jobs.get(1))).isEqualTo(JobState.QUEUED);
		}
	}

	@Test
	void aScheduledOneWaitsForItsTimeFirst() {
		long later = enqueue(JobRequest.of("type").limitKey("k").delay(Duration.ofHours(1)));
		long now = enqueue(JobRequest.of("type").limitKey("k"));
		this.admission.admitDue();
		database.maintenance().promoteAll(100);
		assertThat(states(List.of(now, later))).containsExactly(JobState.QUEUED, JobState.SCHEDULED);
	}

	/** It is given to the next job that a worker can claim. */
	@ParameterizedTest
	@CsvSource({ "paused, paused", "paused:*, paused:ledger" })
	void aJobOfAPausedQueueLeavesThePlaceOfItsKeyToOthers(String name, String queue) {
		database.update("insert into {schema}.pause (kind, name) values ('queue', ?)", name);
		long paused = enqueue(JobRequest.of("type").queue(queue).limitKey("k"));
		this.admission.admitDue();
		long other = enqueue(JobRequest.of("type").limitKey("k"));
		this.admission.admitDue();
		assertThat(states(List.of(paused, other))).containsExactly(JobState.BLOCKED, JobState.QUEUED);
		database.execute("delete from {schema}.pause");
		assertThat(claimAndSucceed()).isEqualTo(other);
		assertThat(this.admission.admit(List.of("k"))).containsExactly(queue);
		assertThat(database.state(paused)).isEqualTo(JobState.QUEUED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "insert into {schema}.pause (kind, name) values ('type', 'type')",
			"insert into {schema}.pause (kind, name, source, open_from, open_until) values ('type', 'type', 'night',"
					+ " now() + interval '1 hour', now() + interval '2 hours')",
			"update {schema}.worker set dead_at = clock_timestamp() where 'type' = any (types)" })
	void aJobThatCannotBeClaimedAnyMoreLeavesThePlaceOfItsKeyToOthers(String end) {
		database.workers().register(WorkerIdentities.of("test", List.of("*"), List.of("other")));
		List<Long> jobs = enqueue("k", 3);
		long other = enqueue(JobRequest.of("other").limitKey("k"));
		this.admission.admitDue();
		database.execute(end);
		this.admission.admitForgotten("", new ArrayList<>());
		assertThat(states(jobs)).containsOnly(JobState.BLOCKED);
		assertThat(database.state(other)).isEqualTo(JobState.QUEUED);
	}

	@Test
	void aJobThatCannotBeClaimedIsAdmittedIfNoOtherWantsThePlace() {
		long unknown = enqueue(JobRequest.of("unknown").limitKey("k"));
		long paused = enqueue(JobRequest.of("type").queue("paused").limitKey("l"));
		database.execute("insert into {schema}.pause (kind, name) values ('queue', 'paused')");
		this.admission.admitDue();
		this.admission.admitForgotten("", new ArrayList<>());
		assertThat(states(List.of(unknown, paused))).containsOnly(JobState.QUEUED);
	}

	/** All of them would begin at once when it opens. */
	@Test
	void aClosedQueueTakesNoTokensOfAKey() {
		this.limits.set(LimitKind.KEY, "host", Limit.perPeriod(2, Duration.ofHours(1)), true);
		database.execute("insert into {schema}.pause (kind, name) values ('queue', 'paused')");
		List<Long> paused = new ArrayList<>();
		for (int job = 0; job < 5; job++) {
			paused.add(enqueue(JobRequest.of("type").queue("paused").limitKey("host:a")));
		}
		Admission admission = this.admission.admitDue();
		assertThat(states(paused)).containsOnly(JobState.BLOCKED);
		assertThat(admission.again()).as("no token helps them").isNull();
		long other = enqueue(JobRequest.of("type").limitKey("host:a"));
		this.admission.admitDue();
		assertThat(database.state(other)).isEqualTo(JobState.QUEUED);
		database.execute("delete from {schema}.pause");
		this.admission.admitForgotten("", new ArrayList<>());
		assertThat(states(paused)).containsOnlyOnce(JobState.QUEUED);
	}

	@Test
	void aMoreUrgentJobTakesThePlaceOfAnUnclaimedOne() {
		long low = enqueue(JobRequest.of("type").limitKey("k").priority(-10));
		this.admission.admitDue();
		long urgent = enqueue(JobRequest.of("type").limitKey("k").priority(100));
		long later = enqueue(JobRequest.of("type").limitKey("k").priority(1));
		this.admission.admitDue();
		assertThat(states(List.of(low, urgent, later))).containsExactly(JobState.BLOCKED, JobState.QUEUED,
				JobState.BLOCKED);
		assertThat(List.of(claimAndSucceed(), claimNext(), claimNext())).containsExactly(urgent, later, low);
	}

	@Test
	void aJobThatBecomesMoreUrgentTakesThePlaceOfAnUnclaimedOne() {
		List<Long> jobs = enqueue("k", 3);
		this.admission.admitDue();
		database.jobs().controlStore().prioritize(jobs.get(2), 5);
		this.admission.admitForgotten("", new ArrayList<>());
		assertThat(states(jobs)).containsExactly(JobState.BLOCKED, JobState.BLOCKED, JobState.QUEUED);
	}

	@Test
	void theLeastUrgentOnesGiveTheirPlaces() {
		this.limits.set(LimitKind.KEY, "three", Limit.concurrency(3), true);
		List<Long> jobs = new ArrayList<>();
		for (int priority : new int[] { 1, 9, 5 }) {
			jobs.add(enqueue(JobRequest.of("type").limitKey("three:k").priority(priority)));
		}
		this.admission.admitDue();
		for (int priority : new int[] { 6, 4 }) {
			jobs.add(enqueue(JobRequest.of("type").limitKey("three:k").priority(priority)));
		}
		this.admission.admitDue();
		assertThat(states(jobs)).containsExactly(JobState.BLOCKED, JobState.QUEUED, JobState.QUEUED, JobState.QUEUED,
				JobState.BLOCKED);
	}

	@Test
	void theLeastUrgentAdmittedJobsWaitAgainWhenTheLimitIsLowered() {
		this.limits.set(LimitKind.KEY, "three", Limit.concurrency(3), true);
		List<Long> jobs = new ArrayList<>();
		for (int priority : new int[] { 1, 9, 5 }) {
			jobs.add(enqueue(JobRequest.of("type").limitKey("three:k").priority(priority)));
		}
		this.admission.admitDue();
		assertThat(states(jobs)).containsOnly(JobState.QUEUED);
		this.limits.set(LimitKind.KEY, "three", Limit.concurrency(2), true);
		this.admission.admitDue();
		assertThat(states(jobs)).containsExactly(JobState.BLOCKED, JobState.QUEUED, JobState.QUEUED);
		assertThat(database.claimOne(this.worker).lease().jobId()).isEqualTo(jobs.get(1));
		this.limits.remove(LimitKind.KEY, "three");
		this.admission.admitDue();
		assertThat(states(jobs)).as("a key without a limit runs one job at a time")
			.containsExactly(JobState.BLOCKED, JobState.STARTING, JobState.BLOCKED);
	}

	@Test
	void aJobThatWaitsAgainBecauseTheLimitWasLoweredReturnsItsToken() {
		this.limits.set(LimitKind.KEY, "k", Limit.concurrency(3).rate(10, Duration.ofHours(1)), true);
		List<Long> jobs = enqueue("k", 3);
		this.admission.admitDue();
		this.limits.set(LimitKind.KEY, "k", Limit.concurrency(1).rate(10, Duration.ofHours(1)), true);
		this.admission.admitDue();
		assertThat(states(jobs)).containsExactly(JobState.QUEUED, JobState.BLOCKED, JobState.BLOCKED);
		assertThat(database.list("select round(tokens)::int from {schema}.job_key", Integer.class)).containsExactly(9);
	}

	@Test
	void aLeasedJobKeepsItsPlaceHoweverUrgentTheOthersAre() {
		List<Long> jobs = enqueue("k", 1);
		this.admission.admitDue();
		database.claimOne(this.worker);
		long urgent = enqueue(JobRequest.of("type").limitKey("k").priority(100));
		this.admission.admitDue();
		assertThat(states(List.of(jobs.get(0), urgent))).containsExactly(JobState.STARTING, JobState.BLOCKED);
	}

	/** The session that has locked it may be claiming it. */
	@Test
	void aJobThatIsBeingClaimedKeepsItsPlace() throws SQLException {
		List<Long> jobs = enqueue("k", 1);
		this.admission.admitDue();
		try (OpenTransaction claim = database.begin()) {
			claim.execute("select from {schema}.job where limit_key = 'k' for no key update");
			long urgent = enqueue(JobRequest.of("type").limitKey("k").priority(100));
			this.admission.admitDue();
			assertThat(states(List.of(jobs.get(0), urgent))).containsExactly(JobState.QUEUED, JobState.BLOCKED);
		}
	}

	@Test
	void anOrderedKeyWaitsForAJobThatCannotBeClaimedAndStaysInOrder() {
		this.limits.set(LimitKind.KEY, "account", Limit.concurrency(1).ordered(true), true);
		database.execute("insert into {schema}.pause (kind, name) values ('queue', 'paused')");
		long paused = enqueue(JobRequest.of("type").queue("paused").limitKey("account:7"));
		long other = enqueue(JobRequest.of("type").limitKey("account:7"));
		this.admission.admitDue();
		this.admission.admitForgotten("", new ArrayList<>());
		assertThat(states(List.of(paused, other))).containsExactly(JobState.QUEUED, JobState.BLOCKED);
	}

	/** As one that was moved here, retried, rescheduled or committed late. */
	@Test
	void aJobOfAnOrderedKeyThatArrivesWithAnOldDueTimeGoesFirst() {
		List<Long> jobs = lateAndLater();
		this.admission.admitDue();
		assertThat(states(jobs)).containsExactly(JobState.QUEUED, JobState.BLOCKED);
	}

	@Test
	void noJobOfAnOrderedKeyGoesBeforeOneThatIsLockedAndHasNotArrived() throws SQLException {
		List<Long> jobs = lateAndLater();
		try (OpenTransaction other = database.begin()) {
			other.execute("select from {schema}.job where id = %d for update".formatted(jobs.get(0)));
			this.admission.admitDue();
			assertThat(states(jobs)).containsExactly(JobState.SCHEDULED, JobState.BLOCKED);
		}
		this.admission.admitForgotten("", new ArrayList<>());
		assertThat(states(jobs)).containsExactly(JobState.QUEUED, JobState.BLOCKED);
	}

	/**
	 * Two jobs of an ordered key, and others that were due between them were admitted.
	 */
	private List<Long> lateAndLater() {
		this.limits.set(LimitKind.KEY, "account", Limit.concurrency(1).ordered(true), true);
		List<Long> jobs = enqueue("account:7", 2);
		database.execute(
				"update {schema}.job set run_at = run_at - interval '20 s', order_at = order_at - interval '20 s' where id = %d"
					.formatted(jobs.get(0)));
		database.execute(
				"update {schema}.maintenance_task set mark = clock_timestamp() - interval '10 s' where name = 'admit'");
		return jobs;
	}

	/** They are stored in the order of their unique keys. */
	@Test
	void jobsOfAListWithUniqueKeysRunInItsOrderUnderAnOrderedKey() {
		this.limits.set(LimitKind.KEY, "account", Limit.concurrency(1).ordered(true), true);
		List<Long> jobs = database.enqueue(Stream.of("event-9", "event-10", "event-2")
			.map((event) -> JobRequest.of("type").limitKey("account:7").uniqueKey(event))
			.toArray(JobRequest[]::new));
		List<Long> started = new ArrayList<>();
		for (int job = 0; job < jobs.size(); job++) {
			this.admission.admitDue();
			this.admission.admit(List.of("account:7"));
			Lease lease = database.claimOne(this.worker).lease();
			started.add(lease.jobId());
			database.jobs().succeed(this.worker, List.of(lease));
		}
		assertThat(started).isEqualTo(jobs).isSorted();
	}

	@Test
	void aMoreUrgentJobOfAnOrderedKeyGoesFirstUnlessTheOtherOneHasStarted() {
		this.limits.set(LimitKind.KEY, "account", Limit.concurrency(1).ordered(true), true);
		List<Long> jobs = enqueue("account:7", 2);
		this.admission.admitDue();
		long urgent = enqueue(JobRequest.of("type").limitKey("account:7").priority(5));
		this.admission.admitDue();
		assertThat(database.state(urgent)).isEqualTo(JobState.QUEUED);
		database.jobs().outcomes().release(this.worker, List.of(database.claimOne(this.worker).lease()));
		long moreUrgent = enqueue(JobRequest.of("type").limitKey("account:7").priority(9));
		this.admission.admitDue();
		assertThat(states(List.of(urgent, moreUrgent))).containsExactly(JobState.QUEUED, JobState.BLOCKED);
		assertThat(states(jobs)).containsOnly(JobState.BLOCKED);
	}

	/** No event was left that would admit the next job. */
	@Test
	void aJobThatWasCommittedLongAfterItWasDueIsAdmittedByAPassOverAll() {
		database.enqueue(JobRequest.of("type").limitKey("k"));
		this.admission.admitDue();
		this.admission.admitDue();
		long late = database.enqueue(JobRequest.of("type").limitKey("other"));
		database.execute("update {schema}.job set run_at = now() - interval '1 hour' where limit_key = 'other'");
		this.admission.admitDue();
		assertThat(database.state(late)).isEqualTo(JobState.SCHEDULED);
		this.admission.admitDue(true);
		assertThat(database.state(late)).isEqualTo(JobState.QUEUED);
	}

	@Test
	void aForgottenPlaceIsFoundAndGivenToTheNext() {
		List<Long> jobs = enqueue("a", 2);
		enqueue("b", 2);
		this.admission.admitDue();
		database.update("delete from {schema}.job where id = ?", jobs.get(0));
		List<String> queues = new ArrayList<>();
		assertThat(this.admission.admitForgotten("", queues)).isNull();
		assertThat(queues).containsExactly("default");
		assertThat(database.state(jobs.get(1))).isEqualTo(JobState.QUEUED);
	}

	@Test
	void aRetryGivesItsPlaceUpUntilItIsDue() {
		List<Long> jobs = enqueue("k", 2);
		this.admission.admitDue();
		fail(Duration.ofHours(1));
		this.admission.admit(List.of("k"));
		assertThat(states(jobs)).containsExactly(JobState.SCHEDULED, JobState.QUEUED);
		due(jobs.get(0));
		assertThat(database.state(jobs.get(0))).isEqualTo(JobState.BLOCKED);
	}

	@Test
	void aRetryOfAnOrderedKeyKeepsItsPlace() {
		this.limits.set(LimitKind.KEY, "account", Limit.concurrency(1).ordered(true), true);
		List<Long> jobs = enqueue("account:7", 3);
		this.admission.admitDue();
		fail(Duration.ofHours(1));
		this.admission.admit(List.of("account:7"));
		this.admission.admitForgotten("", new ArrayList<>());
		assertThat(states(jobs)).containsExactly(JobState.SCHEDULED, JobState.BLOCKED, JobState.BLOCKED);
		due(jobs.get(0));
		assertThat(states(jobs)).containsExactly(JobState.QUEUED, JobState.BLOCKED, JobState.BLOCKED);
		fail(null);
		this.admission.admit(List.of("account:7"));
		assertThat(states(jobs)).containsExactly(JobState.FAILED, JobState.QUEUED, JobState.BLOCKED);
	}

	@Test
	void aReplacedJobOfAnOrderedKeyKeepsNoPlace() {
		this.limits.set(LimitKind.KEY, "account", Limit.concurrency(1).ordered(true), true);
		JobRequest request = JobRequest.of("type").limitKey("account:7");
		JobRequest replaced = request.uniqueKey("key").duplicates(DuplicatePolicy.replace());
		List<Long> jobs = List.of(database.enqueue(replaced), database.enqueue(request));
		this.admission.admitDue();
		fail(Duration.ofHours(1));
		assertThat(states(jobs)).containsExactly(JobState.SCHEDULED, JobState.BLOCKED);
		database.enqueue(replaced.delay(Duration.ofHours(2)));
		this.admission.admitForgotten("", new ArrayList<>());
		assertThat(states(jobs)).as("it begins anew in two hours").containsExactly(JobState.SCHEDULED, JobState.QUEUED);
		due(jobs.get(0));
		assertThat(states(jobs)).as("and goes last then").containsExactly(JobState.BLOCKED, JobState.QUEUED);
	}

	@Test
	void aRetryOfAnOrderedKeyKeepsItsPlaceWhileTheKeyIsHeld() {
		this.limits.set(LimitKind.KEY, "account", Limit.concurrency(1).ordered(true), true);
		List<Long> jobs = enqueue("account:7", 2);
		this.admission.admitDue();
		fail(Duration.ofHours(1));
		hold("account:7");
		due(jobs.get(0));
		assertThat(states(jobs)).containsOnly(JobState.BLOCKED);
		endHold("account:7");
		assertThat(states(jobs)).as("its hold has ended").containsExactly(JobState.QUEUED, JobState.BLOCKED);
		hold("account:7");
		assertThat(states(jobs)).containsOnly(JobState.BLOCKED);
		endHold("account:7");
		assertThat(states(jobs)).as("it was admitted before the hold")
			.containsExactly(JobState.QUEUED, JobState.BLOCKED);
	}

	private static void hold(String key) {
		database.jobs().holds().hold(LimitKind.KEY, key, Duration.ofHours(1), null);
	}

	private void endHold(String key) {
		assertThat(database.jobs().holds().release(LimitKind.KEY, key)).isTrue();
		this.admission.admitDue();
	}

	@Test
	void aRetryOfAnOrderedKeyKeepsItsPlaceWhileTheKeyHasNoToken() {
		this.limits.set(LimitKind.KEY, "k", Limit.concurrency(1).rate(1, Duration.ofHours(1)).ordered(true), true);
		List<Long> jobs = enqueue("k", 2);
		this.admission.admitDue();
		fail(Duration.ofHours(1));
		due(jobs.get(0));
		assertThat(states(jobs)).containsOnly(JobState.BLOCKED);
		database.update(
				"update {schema}.job_key set tokens_at = tokens_at - interval '1 hour', next_at = clock_timestamp()");
		this.admission.admitDue();
		assertThat(states(jobs)).containsExactly(JobState.QUEUED, JobState.BLOCKED);
	}

	@Test
	void aRetryWithoutDelayTakesAnotherToken() {
		this.limits.set(LimitKind.KEY, "host", Limit.perPeriod(2, Duration.ofHours(1)), true);
		List<Long> jobs = enqueue("host:a", 2);
		this.admission.admitDue();
		fail(Duration.ZERO);
		this.admission.admitDue();
		assertThat(states(jobs)).containsExactly(JobState.BLOCKED, JobState.QUEUED);
		Lease lease = database.claimOne(this.worker).lease();
		database.jobs().outcomes().snooze(this.worker, List.of(new Snooze(lease, Duration.ZERO, null)));
		this.admission.admitDue();
		assertThat(states(jobs)).containsOnly(JobState.BLOCKED);
	}

	@Test
	void aJobWhoseSignalCameBeforeItWaitedTakesAnotherToken() {
		this.limits.set(LimitKind.KEY, "host", Limit.perPeriod(1, Duration.ofHours(1)), true);
		List<Long> jobs = enqueue("host:a", 1);
		this.admission.admitDue();
		Lease lease = database.claimOne(this.worker).lease();
		new SignalStore(database.queueDatabase()).send(lease.jobId(), "approval", null);
		List<Arrivals> resumed = new ArrayList<>();
		Wait wait = new Wait(lease, Kind.SIGNAL, "approval", Duration.ofHours(1));
		assertThat(database.jobs().waits().begin(this.worker, List.of(wait), resumed::add)).isEqualTo(jobs);
		assertThat(resumed).containsExactly(Arrivals.of("default", true));
		this.admission.admitDue();
		assertThat(states(jobs)).containsExactly(JobState.BLOCKED);
	}

	@Test
	void aRateOfAKeyLetsInWhoHasAToken() {
		this.limits.set(LimitKind.KEY, "host", Limit.perPeriod(2, Duration.ofHours(1)), true);
		List<Long> jobs = enqueue("host:a", 3);
		Admission admission = this.admission.admitDue();
		assertThat(states(jobs)).containsExactly(JobState.QUEUED, JobState.QUEUED, JobState.BLOCKED);
		assertThat(admission.again()).isBetween(Duration.ofMinutes(29), Duration.ofMinutes(30));
		database.update("update {schema}.job_key set tokens_at = tokens_at - interval '30 minutes',"
				+ " next_at = next_at - interval '30 minutes'");
		assertThat(this.admission.admitDue().again()).isNull();
		assertThat(database.state(jobs.get(2))).isEqualTo(JobState.QUEUED);
	}

	@Test
	void aJobThatIsRetriedManuallyMustBeAdmittedAgain() {
		List<Long> jobs = enqueue("k", 2);
		this.admission.admitDue();
		fail(null);
		this.admission.admit(List.of("k"));
		database.jobs().failedJobs().retry(jobs.get(0));
		this.admission.admitDue();
		assertThat(states(jobs)).containsExactly(JobState.BLOCKED, JobState.QUEUED);
	}

	@Test
	void oneWithAUniqueKeyAsksAsWell() {
		long first = enqueue(JobRequest.of("type").limitKey("k").uniqueKey("u"));
		long second = enqueue(JobRequest.of("type").limitKey("k").uniqueKey("v"));
		this.admission.admitDue();
		assertThat(states(List.of(first, second))).containsExactly(JobState.QUEUED, JobState.BLOCKED);
		assertThat(enqueue(JobRequest.of("type").limitKey("l").uniqueKey("v").duplicates(DuplicatePolicy.replace())))
			.isEqualTo(second);
		this.admission.admitDue();
		assertThat(database.state(second)).isEqualTo(JobState.QUEUED);
	}

	@Test
	void aFollowUpAsksAsWell() {
		JobRequest request = JobRequest.of("type").limitKey("k").uniqueKey("u").duplicates(DuplicatePolicy.runAgain());
		enqueue(request);
		this.admission.admitDue();
		Lease lease = database.claimOne(this.worker).lease();
		long next = enqueue(request);
		long other = enqueue(JobRequest.of("type").limitKey("k").priority(1));
		this.admission.admitDue();
		database.jobs().succeed(this.worker, List.of(lease));
		database.maintenance().followUp(10);
		this.admission.admitDue();
		assertThat(states(List.of(other, next))).containsExactly(JobState.QUEUED, JobState.BLOCKED);
	}

	/** Such as one whose predecessor in a flow is not over. */
	@Test
	void aJobThatIsBlockedByOthersIsNotAdmitted() {
		long blocked = enqueue(JobRequest.of("type").limitKey("k"));
		database.update("update {schema}.job set state = 'blocked' where id = ?", blocked);
		this.admission.admit(List.of("k"));
		this.admission.admitForgotten("", new ArrayList<>());
		assertThat(database.state(blocked)).isEqualTo(JobState.BLOCKED);
	}

	@Test
	void aJobThatIsRescheduledLeavesItsPlaceInTheOrder() {
		List<Long> jobs = enqueue("k", 2);
		this.admission.admitDue();
		ControlStore control = database.jobs().controlStore();
		assertThat(control.reschedule(jobs.get(1), Duration.ofHours(1))).isNotEmpty();
		assertThat(database.state(jobs.get(1))).isEqualTo(JobState.SCHEDULED);
		assertThat(control.reschedule(jobs.get(1), Duration.ZERO)).isNotEmpty();
		this.admission.admitDue();
		assertThat(database.state(jobs.get(1))).isEqualTo(JobState.BLOCKED);
	}

	@Test
	void aServerWhoseClockWentBackLetsJobsInWhenTheyAreDue() {
		database.update("update {schema}.maintenance_task set mark = now() + interval '1 hour' where name = 'admit'");
		long id = enqueue(JobRequest.of("type").limitKey("k").delay(Duration.ofHours(1)));
		due(id);
		assertThat(database.state(id)).isEqualTo(JobState.QUEUED);
	}

	@Test
	void unusedKeysAreForgotten() {
		enqueue("k", 1);
		enqueue("l", 1);
		this.admission.admitDue();
		database.jobs().succeed(this.worker, List.of(database.claimOne(this.worker).lease()));
		this.admission.forgetKeys("");
		assertThat(database.list("select limit_key from {schema}.job_key", String.class)).hasSize(1);
	}

	@Test
	void anOrderedKeyThatWaitsForARetryIsNotLookedAtForItsTokens() {
		this.limits.set(LimitKind.KEY, "k", Limit.concurrency(1).rate(1, Duration.ofHours(1)).ordered(true), true);
		enqueue("k", 2);
		this.admission.admitDue();
		fail(Duration.ofHours(2));
		database.update("update {schema}.job_key set next_at = clock_timestamp() - interval '1 second'");
		assertThat(this.admission.admitDue().again()).isNull();
	}

	private long claimAndSucceed() {
		Lease lease = database.claimOne(this.worker).lease();
		database.jobs().succeed(this.worker, List.of(lease));
		return lease.jobId();
	}

	private long claimNext() {
		this.admission.admit(List.of("k"));
		return claimAndSucceed();
	}

	private void fail(Duration pause) {
		Lease lease = database.claimOne(this.worker).lease();
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "broken", pause)));
	}

	private void due(long id) {
		database.update("update {schema}.job set run_at = clock_timestamp() where id = ?", id);
		this.admission.admitDue();
	}

	private static List<Long> enqueue(String key, int jobs) {
		List<Long> ids = new ArrayList<>();
		for (int job = 0; job < jobs; job++) {
			ids.add(enqueue(JobRequest.of("type").limitKey(key)));
		}
		return ids;
	}

	private static long enqueue(JobRequest request) {
		return database.enqueue(request);
	}

	private static List<JobState> states(List<Long> ids) {
		return ids.stream().map(database::state).toList();
	}

}
