package io.rowqueue.engine.job;

import java.time.Duration;
import java.util.List;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.EnqueueResult;
import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.Job;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.control.ControlStore;
import io.rowqueue.engine.job.NewJob.PayloadMerge;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.lease.LeaseStore.HeldLease;
import io.rowqueue.engine.lease.ProgressReport;
import io.rowqueue.engine.maintenance.MaintenanceStore.PromotedJobs;
import io.rowqueue.engine.signal.SignalStore;
import io.rowqueue.engine.signal.Wait;
import io.rowqueue.engine.signal.WaitStore;
import io.rowqueue.engine.step.StepStore;
import io.rowqueue.step.JobWait.Kind;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What an enqueue does when its unique key is taken. */
public class DuplicatePolicyTests {

	private static final DuplicatePolicy MERGE = DuplicatePolicy.merge(String.class, (existing, added) -> added);

	public static final List<DuplicatePolicy> EVERY = List.of(DuplicatePolicy.keep(), DuplicatePolicy.replace(),
			DuplicatePolicy.runAgain(), MERGE);

	static final List<DuplicatePolicy> AGAIN = EVERY.subList(1, 4);

	static final List<DuplicatePolicy> LATER = EVERY.subList(2, 4);

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

	@ParameterizedTest
	@FieldSource("EVERY")
	void aFreeKeyIsTakenWhateverThePolicy(DuplicatePolicy policy) {
		EnqueueResult result = enqueue("1", policy);
		assertThat(result.outcome()).isEqualTo(Outcome.CREATED);
		assertThat(database.find(result.id()).payload()).isEqualTo("1");
	}

	@Test
	void aJobThatWaitsIsReplacedAltogether() {
		EnqueueResult first = enqueue("1", DuplicatePolicy.keep());
		EnqueueResult second = enqueue(JobRequest.of("other")
			.queue("mail")
			.priority(7)
			.maxAttempts(2)
			.delay(Duration.ofHours(1))
			.tolerance(Duration.ofMinutes(1)), "2", DuplicatePolicy.replace());
		assertThat(second).isEqualTo(new EnqueueResult(first.id(), Outcome.REPLACED));
		Job job = database.find(first.id());
		assertThat(List.of(job.type(), job.queue(), job.priority(), job.maxAttempts(), job.state(), job.payload()))
			.containsExactly("other", "mail", 7, 2, JobState.SCHEDULED, "2");
		assertThat(database.orderAt(job.id())).isEqualTo(job.runAt().plus(Duration.ofMinutes(1)));
		assertThat(enqueue("3", DuplicatePolicy.replace()).outcome()).isEqualTo(Outcome.REPLACED);
		assertThat(database.claimOne(this.worker).payload()).as("it is due again").isEqualTo("3");
	}

	@Test
	void aJobThatWaitsForItsRetryBeginsAnewWhenItIsReplaced() {
		EnqueueResult first = enqueue("1", DuplicatePolicy.keep());
		fail(claim(), Duration.ofDays(1));
		assertThat(enqueue("2", DuplicatePolicy.replace())).isEqualTo(new EnqueueResult(first.id(), Outcome.REPLACED));
		ClaimedJob again = database.claimOne(this.worker);
		assertThat(again.attempt()).isEqualTo(1);
		assertThat(again.lease().token()).as("an old lease stays an old lease").isEqualTo(2);
		assertThat(again.payload()).isEqualTo("2");
	}

	@Test
	void aReplacedJobForgetsWhatItsAttemptsHaveRecorded() throws Exception {
		long id = enqueue("1", DuplicatePolicy.keep()).id();
		Lease lease = claim();
		StepStore steps = database.jobs().steps();
		steps.record(this.worker, lease, "a", "1");
		OpenTransaction late = database.begin();
		assertThat(late.jobs().steps().record(this.worker, lease, "b", "1")).isTrue();
		new SignalStore(database.queueDatabase()).send(id, "approval", "1");
		WaitStore waits = database.jobs().waits();
		waits.begin(this.worker, List.of(new Wait(lease, Kind.SLEEP, "sleep", Duration.ofDays(1))), (arrivals) -> {
		});
		assertThat(waits.list(id)).hasSize(2);
		assertThat(enqueue("2", DuplicatePolicy.replace())).isEqualTo(new EnqueueResult(id, Outcome.REPLACED));
		late.commit();
		assertThat(steps.list(id)).as("one was recorded late").isEmpty();
		assertThat(steps.find(id, "b")).isEmpty();
		assertThat(waits.list(id)).isEmpty();
		steps.record(this.worker, claim(), "b", "2");
		assertThat(steps.find(id, "b").orElseThrow().result()).isEqualTo("2");
	}

	@Test
	void aReplacedJobShowsNothingOfItsAttempts() {
		long id = enqueue("1", DuplicatePolicy.keep()).id();
		Lease lease = claim();
		database.jobs().leases().progress(this.worker, List.of(new ProgressReport(lease, 1, 3, 4, "three")));
		fail(lease, Duration.ofDays(1));
		assertThat(database.find(id).lastError()).isEqualTo("error");
		assertThat(database.find(id).progress()).isNotNull();
		assertThat(enqueue("2", DuplicatePolicy.replace())).isEqualTo(new EnqueueResult(id, Outcome.REPLACED));
		assertThat(database.find(id).lastError()).isNull();
		assertThat(database.find(id).progress()).isNull();
	}

	@Test
	void aReplacedFollowUpForgetsItsSignals() {
		enqueue("1", DuplicatePolicy.keep());
		claim();
		long followUp = enqueue("2", DuplicatePolicy.replace()).id();
		new SignalStore(database.queueDatabase()).send(followUp, "approval", "2");
		assertThat(enqueue("3", DuplicatePolicy.replace())).isEqualTo(new EnqueueResult(followUp, Outcome.REPLACED));
		assertThat(database.count("job_signal")).isZero();
	}

	@Test
	void aSignalToAKeyIsForTheFollowUpAsSoonAsTheFirstHasEnded() {
		long first = enqueue("1", DuplicatePolicy.keep()).id();
		Lease lease = claim();
		long followUp = enqueue("2", DuplicatePolicy.runAgain()).id();
		SignalStore signals = new SignalStore(database.queueDatabase());
		assertThat(signals.find("key").orElseThrow().id()).isEqualTo(first);
		succeed(lease);
		assertThat(signals.find("key").orElseThrow().id()).isEqualTo(followUp);
		assertThat(signals.find("other")).isEmpty();
	}

	/** Its next attempt would not repeat the steps, and so not see what has changed. */
	@ParameterizedTest
	@FieldSource("LATER")
	void aJobThatHasRecordedStepsGetsAFollowUp(DuplicatePolicy policy) {
		long first = enqueue("1", DuplicatePolicy.keep()).id();
		Lease lease = claim();
		database.jobs().steps().record(this.worker, lease, "a", "1");
		fail(lease, Duration.ZERO);
		EnqueueResult second = enqueue("2", policy);
		assertThat(second.outcome()).isEqualTo(Outcome.FOLLOW_UP);
		assertThat(database.find(first).payload()).isEqualTo("1");
		ClaimedJob retry = database.claimOne(this.worker);
		assertThat(retry.lease()).as("it is not locked").isEqualTo(new Lease(first, 2));
		succeed(retry.lease());
		followUp();
		assertThat(database.claimOne(this.worker).lease().jobId()).isEqualTo(second.id());
	}

	/** It never runs again, and would take the request with it. */
	@ParameterizedTest
	@FieldSource("LATER")
	void aJobThatIsToBeCancelledGetsAFollowUp(DuplicatePolicy policy) {
		long first = enqueue("1", DuplicatePolicy.keep()).id();
		Lease lease = claim();
		assertThat(database.jobs().controlStore().askToStop(first)).isTrue();
		database.jobs().outcomes().release(this.worker, List.of(lease));
		EnqueueResult second = enqueue("2", policy);
		assertThat(second.outcome()).isEqualTo(Outcome.FOLLOW_UP);
		ClaimedJob claimed = database.claimOne(this.worker);
		assertThat(claimed.cancelRequested()).isTrue();
		assertThat(claimed.payload()).isEqualTo("1");
		database.jobs().cancel(this.worker, List.of(claimed.lease()));
		followUp();
		assertThat(database.claimOne(this.worker).payload()).isEqualTo("2");
	}

	@Test
	void aJobThatWaitsIsNotRunTwice() {
		EnqueueResult first = enqueue("1", DuplicatePolicy.keep());
		assertThat(enqueue("2", DuplicatePolicy.runAgain())).isEqualTo(new EnqueueResult(first.id(), Outcome.KEPT));
		assertThat(database.find(first.id()).payload()).isEqualTo("1");
	}

	@ParameterizedTest
	@FieldSource("AGAIN")
	void aJobThatAWorkerHasGetsAFollowUp(DuplicatePolicy policy) {
		EnqueueResult first = enqueue("1", policy);
		Lease lease = claim();
		EnqueueResult second = enqueue("2", policy);
		assertThat(second.outcome()).isEqualTo(Outcome.FOLLOW_UP);
		assertThat(second.created()).isTrue();
		assertThat(second.id()).isNotEqualTo(first.id());
		assertThat(database.find(second.id()).state()).isEqualTo(JobState.SCHEDULED);
		assertThat(database.find(first.id()).payload()).as("what runs is left alone").isEqualTo("1");
		assertThat(followUp()).as("not while the first one is leased").isZero();

		assertThat(succeed(lease)).isTrue();
		assertThat(followUp()).isEqualTo(1);
		assertThat(followUp()).as("once").isZero();
		ClaimedJob next = database.claimOne(this.worker);
		assertThat(next.lease().jobId()).isEqualTo(second.id());
		assertThat(next.payload()).isEqualTo("2");
		assertThat(next.attempt()).isEqualTo(1);
	}

	@Test
	void thereIsOneFollowUpAtMost() {
		enqueue("1", DuplicatePolicy.keep());
		claim();
		EnqueueResult followUp = enqueue("2", DuplicatePolicy.runAgain());
		assertThat(enqueue("3", DuplicatePolicy.runAgain())).isEqualTo(new EnqueueResult(followUp.id(), Outcome.KEPT));
		assertThat(enqueue("4", DuplicatePolicy.keep())).isEqualTo(new EnqueueResult(followUp.id(), Outcome.KEPT));
		assertThat(database.find(followUp.id()).payload()).isEqualTo("2");
		assertThat(enqueue("5", DuplicatePolicy.replace()))
			.isEqualTo(new EnqueueResult(followUp.id(), Outcome.REPLACED));
		assertThat(database.find(followUp.id()).payload()).isEqualTo("5");
		assertThat(followUps()).isEqualTo(1);
	}

	@Test
	void aFollowUpHasEverythingThatWasAskedFor() {
		enqueue("1", DuplicatePolicy.keep());
		Lease lease = claim();
		EnqueueResult followUp = enqueue(JobRequest.of("other")
			.queue("mail")
			.priority(-3)
			.maxAttempts(2)
			.delay(Duration.ofHours(1))
			.tolerance(Duration.ofMinutes(1)), "2", DuplicatePolicy.runAgain());
		Job before = database.find(followUp.id());
		succeed(lease);
		followUp();
		assertThat(database.find(followUp.id())).isEqualTo(before);
		assertThat(List.of(before.type(), before.queue(), before.priority(), before.maxAttempts(), before.payload()))
			.containsExactly("other", "mail", -3, 2, "2");
		assertThat(database.orderAt(followUp.id())).isEqualTo(before.runAt().plus(Duration.ofMinutes(1)));
	}

	@Test
	void theFollowUpWaitsForTheRetriesOfTheFirst() {
		EnqueueResult first = enqueue("1", DuplicatePolicy.keep());
		Lease lease = claim();
		EnqueueResult followUp = enqueue("2", DuplicatePolicy.runAgain());
		fail(lease, Duration.ZERO);
		assertThat(followUp()).isZero();
		ClaimedJob retry = database.claimOne(this.worker);
		assertThat(retry.lease().jobId()).isEqualTo(first.id());
		assertThat(retry.payload()).isEqualTo("1");
		database.jobs().outcomes().release(this.worker, List.of(retry.lease()));
		assertThat(followUp()).isZero();
		assertThat(enqueue("3", DuplicatePolicy.replace()).id()).as("the last in line").isEqualTo(followUp.id());
	}

	@Test
	void theFollowUpIsQueuedWhenTheFirstFailsPermanently() {
		EnqueueResult first = enqueue("1", DuplicatePolicy.keep());
		Lease lease = claim();
		EnqueueResult followUp = enqueue("2", DuplicatePolicy.runAgain());
		fail(lease, null);
		assertThat(followUp()).isEqualTo(1);
		assertThat(database.state(first.id())).isEqualTo(JobState.FAILED);
		assertThat(database.state(followUp.id())).isEqualTo(JobState.QUEUED);
	}

	@Test
	void theFollowUpIsQueuedWhenTheFirstIsLostWithItsWorkerInTheLastAttempt() {
		enqueue(JobRequest.of("type").maxAttempts(1), "1", DuplicatePolicy.keep());
		claim();
		database.jobs()
			.leases()
			.running(this.worker, database.jobs().leases().of(this.worker).stream().map(HeldLease::lease).toList());
		EnqueueResult followUp = enqueue("2", DuplicatePolicy.runAgain());
		database.kill(this.worker);
		assertThat(database.recovery().recover(10, 10)).hasSize(1);
		assertThat(followUp()).isEqualTo(1);
		assertThat(database.state(followUp.id())).isEqualTo(JobState.QUEUED);
	}

	@Test
	void theFollowUpIsQueuedWhenTheFirstIsCancelledBetweenTwoAttempts() {
		EnqueueResult first = enqueue("1", DuplicatePolicy.keep());
		Lease lease = claim();
		EnqueueResult followUp = enqueue("2", DuplicatePolicy.runAgain());
		fail(lease, Duration.ofDays(1));
		ControlStore control = database.jobs().controlStore();
		assertThat(control.cancel(first.id())).isTrue();
		assertThat(followUp()).isEqualTo(1);
		assertThat(database.state(followUp.id())).isEqualTo(JobState.QUEUED);
	}

	@Test
	void aFollowUpCanBeCancelled() {
		enqueue("1", DuplicatePolicy.keep());
		Lease lease = claim();
		EnqueueResult followUp = enqueue("2", DuplicatePolicy.runAgain());
		ControlStore control = database.jobs().controlStore();
		assertThat(control.cancel(followUp.id())).isTrue();
		assertThat(database.state(followUp.id())).isEqualTo(JobState.CANCELLED);
		succeed(lease);
		assertThat(followUp()).isZero();
	}

	@Test
	void aFollowUpWhoseTurnHasComeGoesBeforeALaterEnqueue() {
		enqueue("1", DuplicatePolicy.keep());
		Lease lease = claim();
		EnqueueResult followUp = enqueue("2", DuplicatePolicy.runAgain());
		succeed(lease);
		assertThat(enqueue("3", DuplicatePolicy.keep())).isEqualTo(new EnqueueResult(followUp.id(), Outcome.KEPT));
		assertThat(enqueue("4", DuplicatePolicy.replace()))
			.isEqualTo(new EnqueueResult(followUp.id(), Outcome.REPLACED));
		assertThat(followUp()).isEqualTo(1);
		ClaimedJob next = database.claimOne(this.worker);
		assertThat(next.lease().jobId()).isEqualTo(followUp.id());
		assertThat(next.payload()).isEqualTo("4");
	}

	@Test
	void eachOfOneBatchDoesItsOwn() {
		EnqueueResult a = enqueue("0", DuplicatePolicy.keep(), "a");
		EnqueueResult b = enqueue("0", DuplicatePolicy.keep(), "b");
		assertThat(claim().jobId()).isEqualTo(a.id());
		List<EnqueueResult> results = database.jobs()
			.enqueue(List.of(job("1", DuplicatePolicy.replace(), "b"), job("2", DuplicatePolicy.runAgain(), "a"),
					NewJobs.of(JobRequest.of("type"), "3"), job("4", DuplicatePolicy.keep(), "c"),
					job("5", DuplicatePolicy.replace(), "c"), job("6", DuplicatePolicy.replace(), "a")));
		assertThat(results).extracting(EnqueueResult::outcome)
			.containsExactly(Outcome.REPLACED, Outcome.FOLLOW_UP, Outcome.CREATED, Outcome.CREATED, Outcome.REPLACED,
					Outcome.REPLACED);
		assertThat(results.get(0).id()).isEqualTo(b.id());
		assertThat(results.get(5).id()).isEqualTo(results.get(1).id());
		assertThat(results).extracting((result) -> database.find(result.id()).payload())
			.containsExactly("1", "6", "3", "5", "5", "6");
	}

	@Test
	void payloadsOfOneBatchAreMergedOneAfterTheOther() throws Exception {
		PayloadMerge sum = (existing, added) -> String.valueOf(Integer.parseInt(existing) + Integer.parseInt(added));
		JobRequest request = JobRequest.of("type").priority(3).uniqueKey("key").duplicates(MERGE);
		try (OpenTransaction transaction = database.begin()) {
			List<EnqueueResult> results = transaction.jobs()
				.enqueue(List.of(NewJobs.of(request, "1", sum), NewJobs.of(request.priority(4), "2", sum),
						NewJobs.of(request, "3", sum)));
			transaction.commit();
			assertThat(results).extracting(EnqueueResult::outcome)
				.containsExactly(Outcome.CREATED, Outcome.MERGED, Outcome.MERGED);
			Job job = database.find(results.get(2).id());
			assertThat(job.payload()).isEqualTo("6");
			assertThat(job.priority()).as("only the payload is merged").isEqualTo(3);
		}
	}

	@Test
	void thePayloadOfAFollowUpIsMerged() throws Exception {
		PayloadMerge join = (existing, added) -> "[" + existing + "," + added + "]";
		JobRequest request = JobRequest.of("type").uniqueKey("key").duplicates(MERGE);
		enqueue("1", DuplicatePolicy.keep());
		claim();
		EnqueueResult followUp = enqueue("2", MERGE);
		try (OpenTransaction transaction = database.begin()) {
			EnqueueResult merged = transaction.jobs().enqueue(List.of(NewJobs.of(request, null, join))).get(0);
			transaction.commit();
			assertThat(merged).isEqualTo(new EnqueueResult(followUp.id(), Outcome.MERGED));
		}
		assertThat(database.find(followUp.id()).payload()).isEqualTo("[2,null]");
	}

	private EnqueueResult enqueue(String payload, DuplicatePolicy policy) {
		return enqueue(payload, policy, "key");
	}

	private EnqueueResult enqueue(String payload, DuplicatePolicy policy, String key) {
		return database.jobs().enqueue(List.of(job(payload, policy, key))).get(0);
	}

	private EnqueueResult enqueue(JobRequest request, String payload, DuplicatePolicy policy) {
		return database.jobs()
			.enqueue(List.of(NewJobs.of(request.uniqueKey("key").duplicates(policy), payload)))
			.get(0);
	}

	private static NewJob job(String payload, DuplicatePolicy policy, String key) {
		return NewJobs.of(JobRequest.of("type").uniqueKey(key).duplicates(policy), payload);
	}

	private Lease claim() {
		return database.claimOne(this.worker).lease();
	}

	private boolean succeed(Lease lease) {
		return database.jobs().succeed(this.worker, List.of(lease)).size() == 1;
	}

	private void fail(Lease lease, Duration retryAfter) {
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "error", retryAfter)));
	}

	private static int followUp() {
		return database.maintenance().followUp(100).stream().mapToInt(PromotedJobs::jobs).sum();
	}

	private static int followUps() {
		return database.count("job_follow_up");
	}

}
