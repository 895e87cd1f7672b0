package io.rowqueue.engine.control;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;

import ch.qos.logback.classic.Level;
import io.rowqueue.DuplicatePolicy;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.control.CancelResult;
import io.rowqueue.control.JobControl;
import io.rowqueue.control.Pause;
import io.rowqueue.control.RetryResult;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.testing.WorkerIdentities;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

/** What people can do to jobs, queues and types. */
class JobControlTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final JobControl control = database.jobs().control(database.jobs().wakeUps());

	private final long worker = database.worker();

	@Test
	void aWaitingJobIsCancelledAtOnce() {
		List<Long> ids = database.enqueue(JobRequest.of("type"), JobRequest.of("type").delay(Duration.ofDays(1)));
		assertThat(ids).extracting(this.control::cancel).containsOnly(CancelResult.CANCELLED);
		assertThat(ids).extracting(database::state).containsOnly(JobState.CANCELLED);
		assertThat(database.find(ids.get(0)).finishedAt()).isNotNull();
		assertThat(database.claim(this.worker, 10)).isEmpty();
	}

	@Test
	void aJobShowsItsMaximumAttemptsWhateverSetsThem() {
		long own = database.enqueue(JobRequest.of("imports").maxAttempts(7));
		long ofItsType = database.enqueue(JobRequest.of("imports"));
		long unknown = database.enqueue(JobRequest.of("of no worker"));
		long dead = database.workers()
			.register(WorkerIdentities.of("dead", List.of("*"), List.of("imports"), Map.of("imports", 99), Map.of(),
					Map.of()));
		database.kill(dead);
		assertThat(database.find(ofItsType).maxAttempts()).as("of the dead one").isNull();
		for (int attempts : List.of(2, 3)) {
			database.workers()
				.register(WorkerIdentities.of("deployed", List.of("*"), List.of("imports"), Map.of("imports", attempts),
						Map.of(), Map.of()));
		}
		assertThat(List.of(own, ofItsType, unknown)).extracting((id) -> database.find(id).maxAttempts())
			.containsExactly(7, 3, null);
	}

	@Test
	void aCancelledJobGivesItsKeyBack() {
		long first = database.enqueue(JobRequest.of("type").uniqueKey("key"));
		this.control.cancel(first);
		assertThat(database.enqueue(JobRequest.of("type").uniqueKey("key"))).isNotEqualTo(first);
	}

	@Test
	void aFailedJobIsCancelled() {
		long id = fail("queue", "type", null);
		assertThat(this.control.cancel(id)).isEqualTo(CancelResult.CANCELLED);
		assertThat(database.state(id)).isEqualTo(JobState.CANCELLED);
	}

	@Test
	void theWorkerOfALeasedJobIsAsked() {
		Lease lease = database.lease(this.worker, "type");
		assertThat(this.control.cancel(lease.jobId())).isEqualTo(CancelResult.REQUESTED);
		assertThat(database.state(lease.jobId())).isEqualTo(JobState.STARTING);
		assertThat(
				database.query("select cancel_requests from {schema}.worker where id = ?", Integer.class, this.worker))
			.isEqualTo(1);
		database.jobs().outcomes().release(this.worker, List.of(lease));
		assertThat(database.claimOne(this.worker).cancelRequested()).as("its next claim says so").isTrue();
	}

	@Test
	void finishedAndUnknownJobsCannotBeCancelled() {
		Lease lease = database.lease(this.worker, "type");
		database.jobs().succeed(this.worker, List.of(lease));
		assertThat(this.control.cancel(lease.jobId())).isEqualTo(CancelResult.NOT_FOUND);
		assertThat(this.control.cancel(-1)).isEqualTo(CancelResult.NOT_FOUND);
		assertThat(database.state(lease.jobId())).isEqualTo(JobState.SUCCEEDED);
	}

	@Test
	void aJobThatIsBeingEndedIsNotCancelled() throws Exception {
		Lease lease = database.lease(this.worker, "type");
		try (OpenTransaction transaction = database.begin()) {
			transaction.jobs().succeed(this.worker, List.of(lease));
			Future<CancelResult> cancel = database.async(() -> this.control.cancel(lease.jobId()));
			database.awaitBlockedStatement();
			transaction.commit();
			assertThat(StoreDatabase.result(cancel)).isEqualTo(CancelResult.NOT_FOUND);
		}
		assertThat(database.state(lease.jobId())).isEqualTo(JobState.SUCCEEDED);
	}

	@Test
	void aFailedJobIsRetriedWithAllItsAttempts() {
		long id = fail("queue", "type", null);
		assertThat(this.control.retry(id)).isEqualTo(RetryResult.QUEUED);
		ClaimedJob again = database.claimOne(this.worker);
		assertThat(again.lease().jobId()).isEqualTo(id);
		assertThat(again.attempt()).isEqualTo(1);
		assertThat(this.control.retry(id)).isEqualTo(RetryResult.NOT_FAILED);
		assertThat(this.control.retry(-1)).isEqualTo(RetryResult.NOT_FOUND);
		assertThat(this.control.retryFromStep(-1, "a")).isEqualTo(RetryResult.NOT_FOUND);
	}

	@Test
	void aFailedJobStaysWhenAnotherHasItsKey() {
		long failed = fail("queue", "type", "key");
		long other = database.enqueue(JobRequest.of("type").uniqueKey("key"));
		assertThat(this.control.retry(failed)).isEqualTo(RetryResult.KEY_TAKEN);
		assertThat(database.state(failed)).isEqualTo(JobState.FAILED);
		this.control.cancel(other);
		assertThat(this.control.retry(failed)).isEqualTo(RetryResult.QUEUED);
	}

	@Test
	void onlyOneOfTwoFailedJobsWithTheSameKeyIsRetried() {
		fail("queue", "type", "key");
		fail("queue", "type", "key");
		assertThat(this.control.retryAll(null, null)).isEqualTo(1);
	}

	@Test
	void allFailedJobsOfAQueueOrTypeAreRetried() {
		long a = fail("a", "x", null);
		long b = fail("b", "x", null);
		long c = fail("b", "y", null);
		assertThat(this.control.retryAll("b", "x")).isEqualTo(1);
		assertThat(List.of(a, b, c)).extracting(database::state)
			.containsExactly(JobState.FAILED, JobState.QUEUED, JobState.FAILED);
		assertThat(this.control.retryAll(null, null)).isEqualTo(2);
	}

	@Test
	void aWaitingJobIsMovedToAnotherTime() {
		long id = database.enqueue(JobRequest.of("type").tolerance(Duration.ofMinutes(1)));
		assertThat(this.control.reschedule(id, Duration.ofHours(1))).isTrue();
		assertThat(database.state(id)).isEqualTo(JobState.SCHEDULED);
		assertThat(database.find(id).runAt()).isAfter(database.now().plus(Duration.ofMinutes(50)));
		assertThat(database.orderAt(id)).isEqualTo(database.find(id).runAt().plus(Duration.ofMinutes(1)));
		assertThat(this.control.reschedule(id, Duration.ZERO)).isTrue();
		assertThat(database.claimOne(this.worker).lease().jobId()).isEqualTo(id);
		assertThat(this.control.reschedule(id, Duration.ZERO)).as("it is leased").isFalse();
		assertThatIllegalArgumentException().isThrownBy(() -> this.control.reschedule(id, Duration.ofMillis(-1)));
	}

	@Test
	void aWaitingJobOvertakesWithAnotherPriority() {
		List<Long> ids = database.enqueue(JobRequest.of("type"), JobRequest.of("type"));
		assertThat(this.control.prioritize(ids.get(1), 7)).isTrue();
		assertThat(database.claimOne(this.worker).lease().jobId()).isEqualTo(ids.get(1));
		assertThat(this.control.prioritize(ids.get(1), 8)).as("it is leased").isFalse();
		assertThatIllegalArgumentException().isThrownBy(() -> this.control.prioritize(ids.get(0), 32768))
			.withMessageContaining("priority must be from -32768 to 32767, not 32768");
	}

	@Test
	void aJobWhoseLastAttemptFailsWhileItIsToBeCancelledIsCancelled() {
		Lease lease = database.lease(this.worker, "type");
		assertThat(this.control.cancel(lease.jobId())).isEqualTo(CancelResult.REQUESTED);
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "error", null)));
		assertThat(database.claimOne(this.worker).cancelRequested()).isTrue();
		assertThat(this.control.retry(lease.jobId())).isEqualTo(RetryResult.NOT_FAILED);
	}

	@Test
	void aJobThatIsToBeCancelledDoesNotWaitForItsRetry() {
		Lease lease = database.lease(this.worker, "type");
		this.control.cancel(lease.jobId());
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "error", Duration.ofHours(1))));
		assertThat(database.claimOne(this.worker).cancelRequested()).isTrue();
	}

	@Test
	void aFollowUpIsMovedLikeAnyJobThatWaits() {
		JobRequest request = JobRequest.of("type").uniqueKey("key").duplicates(DuplicatePolicy.runAgain());
		database.enqueue(request);
		Lease first = database.claimOne(this.worker).lease();
		long followUp = database.enqueue(request);
		assertThat(this.control.reschedule(followUp, Duration.ofDays(1))).isTrue();
		assertThat(this.control.prioritize(followUp, 7)).isTrue();
		database.jobs().succeed(this.worker, List.of(first));
		database.maintenance().followUp(10);
		assertThat(database.find(followUp)).satisfies((job) -> {
			assertThat(job.state()).isEqualTo(JobState.SCHEDULED);
			assertThat(job.priority()).isEqualTo(7);
			assertThat(job.runAt()).isAfter(database.now().plus(Duration.ofHours(23)));
		});
	}

	@Test
	void nothingOfAPausedQueueIsClaimed() {
		long paused = database.enqueue(JobRequest.of("type").queue("paused"));
		long other = database.enqueue(JobRequest.of("type").queue("other"));
		assertThat(this.control.pauseQueue("paused", "the mail server moves")).isTrue();
		assertThat(this.control.pauseQueue("paused", "again")).isFalse();
		assertThat(database.claim(this.worker, 10)).extracting((job) -> job.lease().jobId()).containsExactly(other);
		assertThat(this.control.pauses()).extracting(Pause::kind, Pause::name, Pause::reason)
			.containsExactly(tuple("queue", "paused", "the mail server moves"));
		assertThat(this.control.resumeQueue("paused")).isTrue();
		assertThat(this.control.resumeQueue("paused")).isFalse();
		assertThat(database.claimOne(this.worker).lease().jobId()).isEqualTo(paused);
	}

	@Test
	void nothingOfAPausedClassOfQueuesIsClaimedWhateverQueuesItHas() {
		long ledger = database.enqueue(JobRequest.of("type").queue("closing:ledger"));
		long other = database.enqueue(JobRequest.of("type").queue("closing"));
		assertThat(this.control.pauseQueue("closing:*", "the day is over")).isTrue();
		long later = database.enqueue(JobRequest.of("type").queue("closing:of:today"));
		assertThat(database.claim(this.worker, 10)).extracting((job) -> job.lease().jobId()).containsExactly(other);
		assertThat(this.control.resumeQueue("closing:ledger")).as("its class is paused, and not the queue").isFalse();
		assertThat(database.claim(this.worker, 10)).isEmpty();
		this.control.pauseQueue("closing:ledger", null);
		assertThat(this.control.pauses()).extracting((pause) -> pause.isOf("closing:ledger")).containsOnly(true);
		assertThat(this.control.pauses()).filteredOn((pause) -> pause.isOf("closing:of:today"))
			.extracting(Pause::name)
			.containsExactly("closing:*");
		assertThat(this.control.resumeQueue("closing:*")).isTrue();
		assertThat(database.claimOne(this.worker).lease().jobId()).as("the queue itself is paused").isEqualTo(later);
		this.control.resumeQueue("closing:ledger");
		assertThat(database.claimOne(this.worker).lease().jobId()).isEqualTo(ledger);
	}

	@Test
	void whatIsPausedAndResumedIsInTheLog() {
		try (Log log = new Log(DefaultJobControl.class)) {
			this.control.pauseQueue("letters", "the printer\nmoves");
			this.control.pauseQueue("letters", "again");
			this.control.resumeQueue("letters");
			this.control.resumeQueue("letters");
			this.control.pauseType("letter", null);
			this.control.resumeType("letter");
			assertThat(log.lines(Level.INFO)).containsExactly("The queue 'letters' is paused: the printer moves",
					"The queue 'letters' is resumed", "The type 'letter' is paused: no reason given",
					"The type 'letter' is resumed");
		}
	}

	@Test
	void nothingOfAPausedTypeIsClaimed() {
		long id = database.enqueue(JobRequest.of("type"));
		assertThat(this.control.pauseType("type", null)).isTrue();
		assertThat(database.claim(this.worker, 10)).isEmpty();
		assertThat(this.control.resumeType("type")).isTrue();
		assertThat(database.claimOne(this.worker).lease().jobId()).isEqualTo(id);
	}

	@Test
	void eachFailedAttemptIsKept() {
		Lease first = database.lease(this.worker, "type");
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(first, "one", Duration.ZERO)));
		Lease second = database.claimOne(this.worker).lease();
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(second, "two", null)));
		assertThat(database.list(
				"select attempt || ' ' || worker_id || ' ' || error from {schema}.job_failure order by failed_at",
				String.class))
			.containsExactly("1 " + this.worker + " one", "2 " + this.worker + " two");
	}

	private long fail(String queue, String type, String key) {
		JobRequest request = JobRequest.of(type).queue(queue);
		long id = database.enqueue((key != null) ? request.uniqueKey(key) : request);
		Lease lease = database.claim(this.worker, 100)
			.stream()
			.map(ClaimedJob::lease)
			.filter((each) -> each.jobId() == id)
			.findFirst()
			.orElseThrow();
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "error", null)));
		return id;
	}

}
