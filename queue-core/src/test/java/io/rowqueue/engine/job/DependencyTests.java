package io.rowqueue.engine.job;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.rowqueue.EnqueueResult;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.control.CancelResult;
import io.rowqueue.control.EraseResult;
import io.rowqueue.control.JobControl;
import io.rowqueue.control.RetryResult;
import io.rowqueue.engine.history.CleanupStore;
import io.rowqueue.engine.job.JobStore.FlowJobResult;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.lease.Snooze;
import io.rowqueue.engine.maintenance.MaintenanceStore.ReleasedJobs;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.flow.Batch.Event;
import io.rowqueue.flow.FlowResult;
import io.rowqueue.flow.WhenFailed;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.testing.Stores;
import io.rowqueue.testing.WorkerIdentities;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Jobs that run after others, as the database sees it. */
class DependencyTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

	private final JobControl control = database.jobs().control(WakeUps.ofThisProcess(database.queueDatabase()));

	private final Map<String, Long> ids = new HashMap<>();

	@Test
	void aJobIsBlockedUntilAllBeforeItHaveSucceeded() {
		flow(job("a"), job("b"), job("c", "a", "b"));
		assertThat(state("c")).isEqualTo(JobState.BLOCKED);
		succeed("a");
		assertThat(state("c")).isEqualTo(JobState.BLOCKED);
		succeed("b");
		assertThat(state("c")).isEqualTo(JobState.QUEUED);
		assertThat(count("job_dependency")).isZero();
	}

	@Test
	void theirEndAndItsReleaseAreOneCommit() throws SQLException {
		flow(job("a"), job("b", "a"));
		Lease lease = lease("a");
		OpenTransaction open = database.begin();
		assertThat(open.jobs().succeed(this.worker, List.of(lease))).containsExactly(lease.jobId());
		assertThat(state("a")).isEqualTo(JobState.STARTING);
		assertThat(state("b")).isEqualTo(JobState.BLOCKED);
		open.commit();
		assertThat(state("a")).isEqualTo(JobState.SUCCEEDED);
		assertThat(state("b")).isEqualTo(JobState.QUEUED);
	}

	@Test
	void theEndOfTheLastPredecessorReturnsTheQueueToWake() {
		flow(job("a"), job("b", "a"));
		Arrivals.Builder released = new Arrivals.Builder();
		database.jobs().successes().succeed(this.worker, List.of(lease("a")), Map.of(), released::add);
		assertThat(released.build()).isEqualTo(Arrivals.of("default"));
	}

	@Test
	void twoThatEndAtTheSameTimeDoNotBothMissIt() throws SQLException {
		flow(job("a"), job("b"), job("c", "a", "b"));
		Lease a = lease("a");
		Lease b = lease("b");
		OpenTransaction open = database.begin();
		open.jobs().succeed(this.worker, List.of(a));
		Future<List<Long>> other = database.async(() -> database.jobs().succeed(this.worker, List.of(b)));
		database.awaitBlockedStatement();
		open.commit();
		assertThat(StoreDatabase.result(other)).hasSize(1);
		assertThat(state("c")).isEqualTo(JobState.QUEUED);
	}

	/** Without a lock about half of the successors are lost. */
	@Test
	void eachSuccessorOfManyJobsThatEndTogetherIsReleasedOnce() {
		int successors = 100;
		int before = 4;
		List<NewFlowJob> flow = new ArrayList<>();
		for (int i = 0; i < successors * before; i++) {
			flow.add(new NewFlowJob("before " + i, NewJobs.of(JobRequest.of("before"), null), Set.of(), Set.of()));
		}
		for (int i = 0; i < successors; i++) {
			int first = i * before;
			flow.add(new NewFlowJob("after " + i, NewJobs.of(JobRequest.of("after"), null),
					IntStream.range(first, first + before)
						.mapToObj((each) -> "before " + each)
						.collect(Collectors.toSet()),
					Set.of()));
		}
		database.jobs().enqueue("flow", flow);
		List<ClaimedJob> claimed = database.claim(this.worker, Integer.MAX_VALUE);
		List<Future<?>> threads = new ArrayList<>();
		for (int i = 0; i < before; i++) {
			int thread = i;
			threads.add(database.async(() -> {
				for (int j = thread; j < claimed.size(); j += before) {
					database.jobs().succeed(this.worker, List.of(claimed.get(j).lease()));
				}
				return null;
			}));
		}
		threads.forEach(StoreDatabase::result);
		assertThat(database.list("select distinct state::text from {schema}.job", String.class))
			.containsExactly("queued");
		assertThat(count("job")).isEqualTo(successors);
	}

	@Test
	void oneWithADelayIsScheduledWhenItIsReleased() {
		flow(job("a"), new NamedJob("b", JobRequest.of("b").delay(Duration.ofHours(1)), "a"));
		succeed("a");
		assertThat(state("b")).isEqualTo(JobState.SCHEDULED);
	}

	@Test
	void itFailsWithTheOneBeforeItAndSoDoThoseAfterIt() {
		flow(job("a"), job("b", "a"), job("c", "b"));
		fail("a");
		assertThat(state("b")).isEqualTo(JobState.FAILED);
		assertThat(state("c")).isEqualTo(JobState.FAILED);
		assertThat(database.find(id("b")).lastError())
			.isEqualTo("Job " + id("a") + " (a), which it was to run after, failed");
	}

	@Test
	void oneThatFailedWithoutHavingRunIsKeptAsLongAsAnyFailedJobAndThenDeleted() {
		flow(job("a"), job("b", "a"), job("c", "b"));
		database.execute(
				"update {schema}.job set created_at = now() - interval '1 year', run_at = now() - interval '1 year',"
						+ " order_at = now() - interval '1 year'");
		fail("a");
		assertThat(state("c")).isEqualTo(JobState.FAILED);
		CleanupStore cleanup = new CleanupStore(database.queueDatabase());
		assertThat(cleanup.deleteFailed(Duration.ofDays(1), Map.of(), 10)).as("they failed just now").isZero();
		database.execute("update {schema}.job set leased_at = leased_at - interval '2 days'");
		database.execute("update {schema}.job_failure set failed_at = failed_at - interval '2 days'");
		for (int i = 0; i < 3; i++) {
			// one that others are to follow stays as long as they do
			cleanup.deleteFailed(Duration.ofDays(1), Map.of(), 10);
		}
		assertThat(count("job")).isZero();
	}

	@Test
	void aRetryOfTheFirstBringsBackThoseThatFailedWithIt() {
		flow(job("a"), job("b", "a"), job("c", "b"));
		fail("a");
		assertThat(this.control.retry(id("a"))).isEqualTo(RetryResult.QUEUED);
		assertThat(state("b")).isEqualTo(JobState.BLOCKED);
		assertThat(state("c")).isEqualTo(JobState.BLOCKED);
		succeed("a");
		succeed("b");
		assertThat(state("c")).isEqualTo(JobState.QUEUED);
		assertThat(database.query("select state from {schema}.flows", String.class)).isEqualTo("running");
		succeed("c");
		assertThat(database.query("select state from {schema}.flows", String.class)).isEqualTo("succeeded");
	}

	@Test
	void aSuccessorOfTwoFailedJobsRunsAfterBothWereRetried() {
		flow(job("a"), job("b"), job("c", "a", "b"));
		fail("a");
		fail("b");
		this.control.retry(id("a"));
		assertThat(state("c")).isEqualTo(JobState.FAILED);
		this.control.retry(id("b"));
		assertThat(state("c")).isEqualTo(JobState.BLOCKED);
	}

	@Test
	void aRetryOfOneThatFailedWithAnotherLetsItWaitForThatOne() {
		flow(job("a"), job("b", "a"));
		fail("a");
		assertThat(this.control.retry(id("b"))).isEqualTo(RetryResult.BLOCKED);
		assertThat(state("b")).isEqualTo(JobState.BLOCKED);
	}

	@Test
	void itRunsAnywayIfThatIsItsPolicy() {
		flow(job("a"), new NamedJob("b", JobRequest.of("b").whenFailed(WhenFailed.RUN), "a"));
		fail("a");
		assertThat(state("b")).isEqualTo(JobState.QUEUED);
	}

	@Test
	void itWaitsForTheRetryIfThatIsItsPolicy() {
		flow(job("a"), new NamedJob("b", JobRequest.of("b").whenFailed(WhenFailed.WAIT), "a"));
		fail("a");
		assertThat(state("b")).isEqualTo(JobState.BLOCKED);
		this.control.retry(id("a"));
		succeed("a");
		assertThat(state("b")).isEqualTo(JobState.QUEUED);
	}

	@Test
	void anAttemptThatIsRetriedOrSnoozedIsNoEnd() {
		flow(job("a"), job("b", "a"));
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease("a"), "error", Duration.ZERO)));
		database.jobs().outcomes().snooze(this.worker, List.of(new Snooze(lease("a"), Duration.ZERO, null)));
		database.jobs().outcomes().release(this.worker, List.of(lease("a")));
		assertThat(state("b")).isEqualTo(JobState.BLOCKED);
	}

	@ParameterizedTest
	@EnumSource(WhenFailed.class)
	void oneThatIsCancelledWhileItWaitsNeverComesBack(WhenFailed policy) {
		flow(job("a"), new NamedJob("b", JobRequest.of("b").whenFailed(policy), "a"));
		this.control.cancel(id("a"));
		assertThat(state("b")).isEqualTo((policy == WhenFailed.RUN) ? JobState.QUEUED : JobState.FAILED);
		assertThat(count("job_dependency")).isZero();
	}

	@Test
	void oneThatIsCancelledWhileItRunsCountsLikewise() {
		flow(job("a"), job("b", "a"), job("c", "b"));
		database.jobs().cancel(this.worker, List.of(lease("a")));
		assertThat(state("a")).isEqualTo(JobState.CANCELLED);
		assertThat(state("b")).isEqualTo(JobState.FAILED);
		assertThat(database.find(id("b")).lastError()).contains("Job " + id("a"), "was cancelled");
		assertThat(this.control.retry(id("b"))).as("it no longer waits").isEqualTo(RetryResult.QUEUED);
		assertThat(state("c")).isEqualTo(JobState.BLOCKED);
	}

	@Test
	void oneThatKillsItsWorkersCountsAsFailed() {
		flow(new NamedJob("a", JobRequest.of("a").maxAttempts(1)), job("b", "a"));
		database.jobs().leases().running(this.worker, List.of(lease("a")));
		database.kill(this.worker);
		assertThat(database.recovery().recover(1, 10)).hasSize(1);
		assertThat(state("b")).isEqualTo(JobState.FAILED);
	}

	@Test
	void aBlockedJobCanBeCancelledWithWhatItWaitsFor() {
		flow(job("a"), job("b", "a"), job("c", "b"));
		this.control.cancel(id("b"));
		assertThat(state("b")).isEqualTo(JobState.CANCELLED);
		assertThat(state("c")).isEqualTo(JobState.FAILED);
		succeed("a");
		assertThat(count("job_dependency")).isZero();
	}

	@Test
	void aSuccessorOfAnExistingJobIsReleasedByItsEnd() {
		long a = database.enqueue(JobRequest.of("a"));
		long b = database.enqueue(JobRequest.of("b").after(a));
		assertThat(database.state(b)).isEqualTo(JobState.BLOCKED);
		database.maintenance().settleDependencies(100);
		assertThat(database.state(b)).isEqualTo(JobState.BLOCKED);
		database.jobs().succeed(this.worker, List.of(database.claimOne(this.worker).lease()));
		assertThat(database.state(b)).isEqualTo(JobState.QUEUED);
	}

	@Test
	void anEndThatDidNotKnowOfItIsFoundByMaintenance() {
		long a = database.enqueue(JobRequest.of("a"));
		Lease lease = database.claimOne(this.worker).lease();
		long b = database.enqueue(JobRequest.of("b").after(a));
		database.jobs().succeed(this.worker, List.of(lease));
		assertThat(database.state(b)).isEqualTo(JobState.BLOCKED);
		assertThat(database.maintenance().settleDependencies(100))
			.isEqualTo(new ReleasedJobs(Arrivals.of("default"), false));
		assertThat(database.state(b)).isEqualTo(JobState.QUEUED);
	}

	@Test
	void anEnqueueDoesNotDelayTheEndOfThePredecessor() throws SQLException {
		long a = database.enqueue(JobRequest.of("a"));
		Lease lease = database.claimOne(this.worker).lease();
		OpenTransaction open = database.begin();
		long b = open.jobs().enqueue(List.of(NewJobs.of(JobRequest.of("b").after(a), null))).get(0).id();
		assertThat(database.jobs().succeed(this.worker, List.of(lease))).hasSize(1);
		open.commit();
		database.maintenance().settleDependencies(100);
		assertThat(database.state(b)).isEqualTo(JobState.QUEUED);
	}

	@Test
	void anEndInProgressThatDoesNotKnowOfItIsNotForgotten() throws SQLException {
		long a = database.enqueue(JobRequest.of("a"));
		Lease lease = database.claimOne(this.worker).lease();
		OpenTransaction open = database.begin();
		open.jobs().succeed(this.worker, List.of(lease));
		long b = database.enqueue(JobRequest.of("b").after(a));
		database.maintenance().settleDependencies(100);
		open.commit();
		assertThat(database.state(b)).isEqualTo(JobState.BLOCKED);
		database.maintenance().settleDependencies(100);
		assertThat(database.state(b)).isEqualTo(JobState.QUEUED);
	}

	@Test
	void aSuccessorOfAJobOfTheSameTransactionIsReleasedByItsEnd() throws SQLException {
		OpenTransaction open = database.begin();
		Stores store = open.jobs();
		long a = store.enqueue(List.of(NewJobs.of(JobRequest.of("a"), null))).get(0).id();
		long b = store.enqueue(List.of(NewJobs.of(JobRequest.of("b").after(a), null))).get(0).id();
		open.commit();
		database.jobs().succeed(this.worker, List.of(database.claimOne(this.worker).lease()));
		assertThat(database.state(b)).isEqualTo(JobState.QUEUED);
	}

	@Test
	void aSuccessorOfASucceededJobIsQueuedAtOnce() {
		Lease a = database.lease(this.worker, "a");
		database.jobs().succeed(this.worker, List.of(a));
		assertThat(database.state(database.enqueue(JobRequest.of("b").after(a.jobId())))).isEqualTo(JobState.QUEUED);
	}

	@ParameterizedTest
	@EnumSource(WhenFailed.class)
	void aSuccessorOfAFailedJobFollowsItsPolicy(WhenFailed policy) {
		Lease a = database.lease(this.worker, "a");
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(a, "error", null)));
		long b = database.enqueue(JobRequest.of("b").after(a.jobId()).whenFailed(policy));
		database.maintenance().settleDependencies(100);
		assertThat(database.state(b)).isEqualTo(switch (policy) {
			case FAIL -> JobState.FAILED;
			case RUN -> JobState.QUEUED;
			case WAIT -> JobState.BLOCKED;
		});
		this.control.retry(a.jobId());
		assertThat(database.state(b)).isEqualTo((policy == WhenFailed.RUN) ? JobState.QUEUED : JobState.BLOCKED);
	}

	@Test
	void aSuccessorOfACancelledJobThatIsNotKeptFails() throws SQLException {
		long a = database.enqueue(JobRequest.of("a"));
		long b = enqueueWhile(a, () -> {
			this.control.cancel(a);
			database.execute("delete from {schema}.job_finished");
		});
		database.maintenance().settleDependencies(100);
		assertThat(database.state(b)).isEqualTo(JobState.FAILED);
		assertThat(database.find(b).lastError()).contains("Job " + a, "did not succeed and is not kept any longer");
	}

	@Test
	void aSuccessorOfAFailedJobThatIsNotKeptFails() throws SQLException {
		Lease a = database.lease(this.worker, "a");
		long b = enqueueWhile(a.jobId(), () -> {
			database.jobs().outcomes().fail(this.worker, List.of(new Failure(a, "error", null)));
			assertThat(new CleanupStore(database.queueDatabase()).deleteFailed(Duration.ZERO, Map.of(), 10))
				.isEqualTo(1);
		});
		database.maintenance().settleDependencies(100);
		assertThat(database.state(b)).isEqualTo(JobState.FAILED);
	}

	@Test
	void aSuccessorOfAFailedJobThatIsBeingDeletedFails() throws SQLException {
		Lease a = database.lease(this.worker, "a");
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(a, "error", null)));
		long b = enqueueWhile(a.jobId(),
				() -> assertThat(new CleanupStore(database.queueDatabase()).deleteFailed(Duration.ZERO, Map.of(), 10))
					.isEqualTo(1));
		database.maintenance().settleDependencies(100);
		assertThat(database.state(b)).isEqualTo(JobState.FAILED);
	}

	@Test
	void aSuccessorOfAJobThatIsErasedWhileItIsStoredFails() {
		long a = database.enqueue(JobRequest.of("a"));
		List<NewJob> b = List.of(NewJobs.of(JobRequest.of("b").after(a), null));
		DependStatement depend = new DependStatement(database.queueDatabase(), KeptJobs.ALL);
		depend.check(b);
		assertThat(this.control.erase(a)).isEqualTo(EraseResult.ERASED);
		List<Long> stored = new InsertStatement(database.queueDatabase()).tracked(b, List.of(true), null);
		depend.execute(DependStatement.of(b, stored));
		database.maintenance().settleDependencies(100);
		assertThat(database.state(stored.get(0))).isEqualTo(JobState.FAILED);
		assertThat(database.find(stored.get(0)).lastError()).contains("Job " + a, "did not succeed");
	}

	@Test
	void aSuccessorOfAnUnknownJobRunsIfNotAllSuccessesAreKept() throws SQLException {
		database.workers()
			.register(WorkerIdentities.of("forgetful", List.of("default"), List.of("type"), Map.of(), Map.of(),
					Map.of(), List.of("history:partial")));
		Lease a = database.lease(this.worker, "a");
		long b = enqueueWhile(a.jobId(), () -> database.jobs(false).succeed(this.worker, List.of(a)));
		database.maintenance().settleDependencies(100);
		assertThat(database.state(b)).isEqualTo(JobState.QUEUED);
	}

	@Test
	void successorsOfALockedJobDoNotHideOthers() throws SQLException {
		long locked = database.enqueue(JobRequest.of("locked"));
		Lease free = database.lease(this.worker, "free");
		for (int i = 0; i < 10; i++) {
			database.enqueue(JobRequest.of("after locked").after(locked));
		}
		long after = database.enqueue(JobRequest.of("after free").after(free.jobId()));
		database.jobs().succeed(this.worker, List.of(free));
		try (OpenTransaction open = database.begin()) {
			open.execute("select from {schema}.job where id = " + locked + " for update");
			assertThat(database.maintenance().settleDependencies(10).arrivals().queues()).containsExactly("default");
			assertThat(database.state(after)).isEqualTo(JobState.QUEUED);
		}
	}

	@Test
	void successorsOfManyLockedJobsDoNotHideOthers() throws SQLException {
		for (int i = 0; i < 10; i++) {
			database.enqueue(JobRequest.of("after locked").after(database.enqueue(JobRequest.of("locked"))));
		}
		database.enqueue(JobRequest.of("after free").after(database.enqueue(JobRequest.of("free"))));
		try (OpenTransaction open = database.begin()) {
			open.execute("select from {schema}.job where type = 'locked' for update");
			database.maintenance().settleDependencies(10);
			assertThat(count("job_dependency where unsure")).isEqualTo(10);
		}
	}

	@ParameterizedTest
	@EnumSource(value = JobState.class, names = { "SUCCEEDED", "FAILED", "CANCELLED" })
	void veryManySuccessorsAreReleasedByMaintenanceInBatches(JobState end) {
		int successors = 24_000;
		Lease lease = withSuccessors(successors);
		switch (end) {
			case SUCCEEDED -> database.jobs().succeed(this.worker, List.of(lease));
			case FAILED -> database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "error", null)));
			default -> database.jobs().cancel(this.worker, List.of(lease));
		}
		assertThat(database.state(lease.jobId())).isEqualTo(end);
		assertThat(count("job where state = 'blocked'")).isEqualTo(successors);
		assertThat(database.maintenance().continueEnds(10_000).more()).isTrue();
		assertThat(count("job where state = 'blocked'")).isEqualTo(successors - 10_000);
		assertThat(database.maintenance().continueEnds(10_000).more()).isTrue();
		ReleasedJobs last = database.maintenance().continueEnds(10_000);
		assertThat(last).isEqualTo(
				new ReleasedJobs(Arrivals.of((end == JobState.SUCCEEDED) ? Set.of("default") : Set.of()), false));
		assertThat(count(
				"job where type = 'second' and state = '" + ((end == JobState.SUCCEEDED) ? "queued" : "failed") + "'"))
			.isEqualTo(successors);
		assertThat(count("job_end")).isZero();
	}

	@ParameterizedTest
	@EnumSource(value = JobState.class, names = { "SUCCEEDED", "FAILED" })
	void aProcessThatDiesWhileItNotifiesSuccessorsLeavesTheRestToOthers(JobState end) throws SQLException {
		int successors = 24_000;
		Lease lease = withSuccessors(successors);
		if (end == JobState.SUCCEEDED) {
			database.jobs().successes().succeed(this.worker, List.of(lease), Map.of(), (released) -> {
			});
		}
		else {
			database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "error", null)));
		}
		assertThat(database.maintenance().continueEnds(10_000).more()).isTrue();
		try (OpenTransaction dying = database.begin()) {
			dying.execute("select {schema}.continue_ends(10000)");
			assertThat(database.maintenance().continueEnds(10_000).more()).as("one process at a time continues it")
				.isFalse();
			assertThat(count("job_end")).isEqualTo(1);
		}
		assertThat(count("job where state = 'blocked'")).isEqualTo(successors - 10_000);
		while (database.maintenance().continueEnds(10_000).more()) {
			continue;
		}
		assertThat(count("job where state = 'blocked'")).isZero();
		assertThat(count(
				"job where type = 'second' and state = '" + ((end == JobState.SUCCEEDED) ? "queued" : "failed") + "'"))
			.isEqualTo(successors);
		assertThat(count("job_end")).isZero();
	}

	@Test
	void successorsThatWereNotNotifiedOfAFailureWaitForTheRetry() {
		Lease lease = withSuccessors(24_000);
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "error", null)));
		database.maintenance().continueEnds(10_000);
		assertThat(this.control.retry(lease.jobId())).isEqualTo(RetryResult.QUEUED);
		assertThat(count("job where state = 'blocked'")).isEqualTo(24_000);
		assertThat(database.maintenance().continueEnds(10_000))
			.isEqualTo(new ReleasedJobs(Arrivals.of(Set.of()), false));
		assertThat(count("job where state = 'blocked'")).isEqualTo(24_000);
	}

	@Test
	void veryManyUncheckedSuccessorsAreCheckedInBatches() {
		Lease lease = withSuccessors(24_000);
		database.execute("update {schema}.job_dependency set unsure = true");
		assertThat(database.maintenance().settleDependencies(10_000).more()).isTrue();
		assertThat(count("job_dependency where unsure")).isEqualTo(14_000);
		assertThat(database.maintenance().settleDependencies(10_000).more()).isTrue();
		assertThat(database.maintenance().settleDependencies(10_000).more()).isFalse();
		assertThat(count("job_dependency where unsure")).isZero();
		database.execute("update {schema}.job_dependency set unsure = true");
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "error", null)));
		while (database.maintenance().continueEnds(10_000).more()) {
			continue;
		}
		database.maintenance().settleDependencies(30_000);
		assertThat(count("job where state = 'failed'")).isEqualTo(24_001);
	}

	@Test
	void successorsOfManyJobsThatHaveFailedFailTogether() {
		int pairs = 500;
		withSuccessors(pairs);
		database.execute("update {schema}.job set id = id + 1000000 where state = 'blocked'");
		database.execute("insert into {schema}.job (id, run_at, order_at, state, queue, type, tracked, leased_at)"
				+ " select id - 1000000, now(), now(), 'failed', 'default', 'failed', true, now() from {schema}.job where id > 1000000");
		database.execute(
				"update {schema}.job_dependency set predecessor_id = successor_id, successor_id = successor_id + 1000000,"
						+ " unsure = true");
		assertThat(database.maintenance().settleDependencies(300).more()).isTrue();
		assertThat(count("job where type = 'second' and state = 'failed'")).isEqualTo(300);
		assertThat(database.maintenance().settleDependencies(300).more()).isFalse();
		assertThat(count("job where type = 'second' and state = 'failed'")).isEqualTo(pairs);
		assertThat(count(
				"job where type = 'second' and last_error not like format('Job %s (failed), %% failed', id - 1000000)"))
			.as("each names the job before it")
			.isZero();
	}

	@Test
	void aLongChainOfJobsFailsLittleByLittle() {
		Lease first = withChainOfTwoThousand();
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(first, "error", null)));
		assertThat(count("job where state = 'blocked'")).isBetween(1, 1999);
		while (count("job_end") > 0) {
			database.maintenance().continueEnds(10_000);
		}
		assertThat(count("job where state = 'failed'")).isEqualTo(2001);
	}

	@Test
	void aChainThatHasNotFailedToItsEndComesBackWithTheRetry() {
		Lease first = withChainOfTwoThousand();
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(first, "error", null)));
		assertThat(count("job_end")).isEqualTo(1);
		assertThat(this.control.retry(first.jobId())).isEqualTo(RetryResult.QUEUED);
		assertThat(count("job_end")).isZero();
		assertThat(count("job where state = 'blocked'")).isEqualTo(2000);
	}

	@Test
	void cancellingAJobWaitsForTheEndOfItsPredecessor() throws SQLException {
		Lease first = database.lease(this.worker, "first");
		long second = database.enqueue(JobRequest.of("second").after(first.jobId()));
		database.maintenance().settleDependencies(10);
		try (OpenTransaction end = database.begin()) {
			// what the end of a job does first, and then last
			end.execute("delete from {schema}.job_dependency where predecessor_id = " + first.jobId());
			Future<CancelResult> cancelled = database.async(() -> this.control.cancel(second));
			database.awaitBlockedStatement();
			end.execute("select {schema}.release_blocked(array[" + second + "]::bigint[])");
			end.commit();
			assertThat(StoreDatabase.result(cancelled)).isEqualTo(CancelResult.CANCELLED);
		}
		assertThat(database.state(second)).isEqualTo(JobState.CANCELLED);
	}

	@Test
	void aSuccessorOfAnUnknownJobIsRejected() {
		long a = database.enqueue(JobRequest.of("a"));
		assertThatExceptionOfType(JobQueueException.class)
			.isThrownBy(() -> database.enqueue(JobRequest.of("b").after(a, 4711)))
			.withMessageContaining("no job 4711 to run after");
	}

	@Test
	void anUnknownJobHasSucceededIfThereIsNoHistory() {
		Stores store = database.jobs(false);
		Lease a = database.lease(this.worker, "a");
		store.succeed(this.worker, List.of(a));
		EnqueueResult b = store.enqueue(List.of(NewJobs.of(JobRequest.of("b").after(a.jobId()), null))).get(0);
		assertThat(database.state(b.id())).isEqualTo(JobState.QUEUED);
		assertThatExceptionOfType(JobQueueException.class)
			.isThrownBy(() -> store.enqueue(List.of(NewJobs.of(JobRequest.of("b").after(4711), null))));
	}

	@Test
	void resultsAreKeptForThoseThatComeAfterAlsoWithoutHistory() {
		flow(job("a"), job("b", "a"));
		database.jobs(false).succeed(this.worker, Map.of(lease("a"), "42"));
		assertThat(database.jobs().resultOfFlowJob(id("b"), "a")).isEqualTo(new FlowJobResult(true, "42"));
		assertThat(database.jobs().jobs().resultOf(id("a"))).contains("42");
		assertThat(database.jobs().resultOfFlowJob(id("b"), "x").known()).isFalse();
	}

	@Test
	void aSuccessorThatATransactionChangesKeepsNoOtherWaiting() throws Exception {
		List<Long> first = List.of(database.lease(this.worker, "a").jobId(), database.lease(this.worker, "a").jobId(),
				database.lease(this.worker, "a").jobId());
		List<Long> second = new ArrayList<>();
		for (long each : first) {
			second.add(database.enqueue(JobRequest.of("b").after(each)));
		}
		second.add(database.enqueue(JobRequest.of("b").after(first.get(1))));
		database.jobs().succeed(this.worker, List.of(new Lease(first.get(1), 1), new Lease(first.get(2), 1)));
		try (OpenTransaction open = database.begin()) {
			open.select("select {schema}.cancel_jobs(array[" + second.get(0) + "])");
			open.select("select {schema}.cancel_jobs(array[" + second.get(1) + "])");
			StoreDatabase.result(database.async(() -> database.maintenance().settleDependencies(100)));
			assertThat(database.state(second.get(2))).isEqualTo(JobState.QUEUED);
		}
		assertThat(database.maintenance().settleDependencies(100).more()).isFalse();
		assertThat(database.state(second.get(1))).as("its cancellation was rolled back").isEqualTo(JobState.QUEUED);
		assertThat(count("job_dependency where unsure")).isZero();
		assertThat(count("job_dependency")).isOne();
	}

	@Test
	void aSuccessorOfAFailedJobThatATransactionChangesIsToldLater() throws Exception {
		List<Long> first = List.of(database.lease(this.worker, "a").jobId(), database.lease(this.worker, "a").jobId());
		List<Long> second = first.stream().map((each) -> database.enqueue(JobRequest.of("b").after(each))).toList();
		database.jobs()
			.outcomes()
			.fail(this.worker, first.stream().map((each) -> new Failure(new Lease(each, 1), "error", null)).toList());
		try (OpenTransaction open = database.begin()) {
			open.execute("update {schema}.job set priority = 3 where id = " + second.get(0));
			StoreDatabase.result(database.async(() -> database.maintenance().settleDependencies(100)));
			StoreDatabase.result(database.async(() -> database.maintenance().continueEnds(100)));
			assertThat(database.state(second.get(1))).isEqualTo(JobState.FAILED);
			open.commit();
		}
		database.maintenance().continueEnds(100);
		assertThat(database.state(second.get(0))).isEqualTo(JobState.FAILED);
		assertThat(count("job_end")).isZero();
	}

	@Test
	void aCallbackThatATransactionChangesKeepsNoOtherBatchWaiting() throws Exception {
		BatchStore batches = database.jobs().batches();
		long first = batches.create("a", false, List.of(Event.FINISH), List.of(NewJobs.of(JobRequest.of("a"), null)));
		batches.create("b", false, List.of(Event.FINISH), List.of(NewJobs.of(JobRequest.of("b"), null)));
		try (OpenTransaction open = database.begin()) {
			open.execute("update {schema}.job set priority = 3 where type = 'a'");
			StoreDatabase.result(database.async(() -> database.maintenance().rollUpBatches(100)));
			assertThat(database.list("select type from {schema}.job where state = 'queued'", String.class))
				.containsExactly("b");
		}
		database.maintenance().rollUpBatches(100);
		assertThat(batches.find(first).orElseThrow().finishedAt()).isNotNull();
		assertThat(database.count("job where state = 'queued'")).isEqualTo(2);
	}

	private void flow(NamedJob... jobs) {
		FlowResult flow = database.jobs()
			.enqueue("flow",
					Arrays.stream(jobs)
						.map((job) -> new NewFlowJob(job.name(), NewJobs.of(job.request(), null), Set.of(job.after()),
								Set.of()))
						.toList());
		this.ids.putAll(flow.jobs());
	}

	private static NamedJob job(String name, String... after) {
		return new NamedJob(name, JobRequest.of(name), after);
	}

	private long id(String name) {
		return this.ids.get(name);
	}

	private JobState state(String name) {
		return database.state(id(name));
	}

	private Lease lease(String name) {
		return database.claim(this.worker, 100)
			.stream()
			.filter((job) -> job.lease().jobId() == id(name))
			.findFirst()
			.map(ClaimedJob::lease)
			.orElseGet(() -> new Lease(id(name),
					database.query("select lease from {schema}.job where id = ?", Integer.class, id(name))));
	}

	private void succeed(String name) {
		assertThat(database.jobs().succeed(this.worker, List.of(lease(name)))).hasSize(1);
	}

	private void fail(String name) {
		assertThat(database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease(name), "error", null))))
			.hasSize(1);
	}

	private static int count(String table) {
		return database.query("select count(*) from {schema}." + table, Integer.class);
	}

	/**
	 * Enqueues a job after another one, in a transaction that commits after what happens
	 * meanwhile.
	 */
	private static long enqueueWhile(long before, Runnable meanwhile) throws SQLException {
		try (OpenTransaction open = database.begin()) {
			long id = open.jobs().enqueue(List.of(NewJobs.of(JobRequest.of("b").after(before), null))).get(0).id();
			meanwhile.run();
			open.commit();
			return id;
		}
	}

	/** Leases the first of a chain of jobs, each of which waits for the one before. */
	private Lease withChainOfTwoThousand() {
		Lease first = database.lease(this.worker, "first");
		database.execute("update {schema}.job set tracked = true");
		database
			.update("""
					with s as (
						insert into {schema}.job (id, run_at, order_at, state, queue, type, tracked)
						select ? + i, now(), now(), 'blocked', 'default', 'next', true from generate_series(1, 2000) i returning id)
					insert into {schema}.job_dependency (predecessor_id, successor_id, when_failed) select id - 1, id, 'fail' from s""",
					first.jobId());
		return first;
	}

	/** Leases a job that so many others wait for. */
	private Lease withSuccessors(int successors) {
		Lease first = database.lease(this.worker, "first");
		database.execute("update {schema}.job set tracked = true");
		database
			.update("""
					with s as (
						insert into {schema}.job (run_at, order_at, state, queue, type, tracked)
						select now(), now(), 'blocked', 'default', 'second', true from generate_series(1, ?) returning id)
					insert into {schema}.job_dependency (predecessor_id, successor_id, when_failed) select ?, id, 'fail' from s""",
					successors, first.jobId());
		return first;
	}

	private record NamedJob(String name, JobRequest request, String... after) {
	}

}
