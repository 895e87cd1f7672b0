package io.rowqueue.engine.step;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Future;

import io.rowqueue.JobRequest;
import io.rowqueue.control.JobControl;
import io.rowqueue.control.RetryResult;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.step.RecordedStep;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** Jobs that are retried from a step on, as the database sees it. */
class RepeatedStepTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final long worker = database.worker();

	private final StepStore steps = database.jobs().steps();

	private final JobControl control = database.jobs().control(WakeUps.ofThisProcess(database.queueDatabase()));

	@Test
	void aStepThatAnEarlierAttemptRecordsLateDoesNotCount() throws SQLException {
		Lease first = start();
		this.steps.record(this.worker, first, "a", "1");
		this.steps.record(this.worker, first, "b", "1");
		OpenTransaction late = database.begin();
		assertThat(late.jobs().steps().record(this.worker, first, "c", "1")).isTrue();
		fail(first);
		assertThat(this.control.retryFromStep(first.jobId(), "b")).isEqualTo(RetryResult.QUEUED);
		late.commit();
		assertThat(names(first)).containsExactly("a");
		assertThat(this.steps.find(first.jobId(), "a")).isPresent();
		assertThat(this.steps.find(first.jobId(), "b")).isEmpty();
		assertThat(this.steps.find(first.jobId(), "c")).isEmpty();
		Lease second = database.claimOne(this.worker).lease();
		this.steps.record(this.worker, second, "b", "2");
		this.steps.record(this.worker, second, "c", "2");
		assertThat(names(first)).containsExactly("a", "b", "c");
		assertThat(this.steps.find(first.jobId(), "c").orElseThrow().result()).isEqualTo("2");
	}

	@Test
	void whatWasKeptOnceIsKeptAgainUntilItIsToBeRepeated() {
		Lease first = start();
		for (String step : List.of("a", "b", "c")) {
			this.steps.record(this.worker, first, step, null);
		}
		fail(first);
		this.control.retryFromStep(first.jobId(), "c");
		fail(database.claimOne(this.worker).lease());
		assertThat(this.control.retryFromStep(first.jobId(), "c")).isEqualTo(RetryResult.UNKNOWN_STEP);
		assertThat(this.control.retryFromStep(first.jobId(), "b")).isEqualTo(RetryResult.QUEUED);
		assertThat(names(first)).containsExactly("a");
	}

	@Test
	void noStepIsForgottenOfAJobThatDoesNotRunAgain() {
		database.enqueue(JobRequest.of("test").uniqueKey("key"));
		Lease first = database.claimOne(this.worker).lease();
		this.steps.record(this.worker, first, "a", null);
		assertThat(this.control.retryFromStep(first.jobId(), "a")).isEqualTo(RetryResult.NOT_FAILED);
		fail(first);
		database.enqueue(JobRequest.of("test").uniqueKey("key"));
		assertThat(this.control.retryFromStep(first.jobId(), "a")).isEqualTo(RetryResult.KEY_TAKEN);
		assertThat(names(first)).containsExactly("a");
	}

	@Test
	void aKeyThatIsTakenAtTheSameTimeIsTheReason() throws Exception {
		JobRequest request = JobRequest.of("test").uniqueKey("key");
		database.enqueue(request);
		Lease first = database.claimOne(this.worker).lease();
		this.steps.record(this.worker, first, "a", null);
		fail(first);
		try (OpenTransaction other = database.begin()) {
			other.jobs().enqueue(List.of(NewJobs.of(request, null)));
			Future<RetryResult> retry = database.async(() -> this.control.retryFromStep(first.jobId(), "a"));
			database.awaitBlockedStatement();
			other.commit();
			assertThat(StoreDatabase.result(retry)).isEqualTo(RetryResult.KEY_TAKEN);
		}
		assertThat(names(first)).containsExactly("a");
	}

	private Lease start() {
		database.enqueue(JobRequest.of("test"));
		return database.claimOne(this.worker).lease();
	}

	private void fail(Lease lease) {
		database.jobs().outcomes().fail(this.worker, List.of(new Failure(lease, "error", null)));
	}

	private List<String> names(Lease job) {
		return database.jobs().steps().list(job.jobId()).stream().map(RecordedStep::name).toList();
	}

}
