package io.rowqueue.engine.signal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.HandlerOptions;
import io.rowqueue.Job;
import io.rowqueue.JobContext;
import io.rowqueue.JobQueue;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.control.CancelResult;
import io.rowqueue.control.RetryResult;
import io.rowqueue.flow.Flow;
import io.rowqueue.flow.FlowResult;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.step.JobOutcome;
import io.rowqueue.step.JobWait.State;
import io.rowqueue.step.JobWait;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Stores;
import io.rowqueue.testing.TestJobContext;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

/** Handlers that wait for other jobs. */
@Execution(ExecutionMode.CONCURRENT)
class AwaitedOutcomesTests {

	private static final Duration DAY = Duration.ofDays(1);

	private static final Duration SHORT = Duration.ofMillis(1);

	@AutoClose
	private final Engine engine = new Engine();

	private final List<List<JobOutcome>> seen = Collections.synchronizedList(new ArrayList<>());

	private final List<String> refusals = Collections.synchronizedList(new ArrayList<>());

	private final CountDownLatch go = new CountDownLatch(1);

	@Test
	void aHandlerContinuesWithTheOutcomesOfTheJobsThatItHasEnqueued() {
		process()
			.register((handlers) -> handlers.addReturning("child", String.class, HandlerOptions.NONE.keepResult(true),
					this::child))
			.handle("parent", (payload, context) -> {
				long[] ids = context.step("children", () -> enqueue("done", "unsteady", "broken", "late"),
						long[].class);
				this.seen.add(context.awaitJobs("children", ids));
				assertThat(context.resultOf(ids[0], String.class)).contains("result of done");
			})
			.startAndListen();
		long parent = this.engine.enqueue(JobRequest.of("parent").maxAttempts(1));
		awaitWaiting(parent);
		assertThat(this.engine.stores().waits().list(parent)).extracting(JobWait::kind, JobWait::state)
			.containsExactly(tuple(JobWait.Kind.JOBS, State.WAITING));
		this.go.countDown();
		await().until(() -> this.engine.leased() == 0 && this.engine.count("job_dependency") == 1);
		assertThat(this.engine.job(parent).state()).as("one child has not ended").isEqualTo(JobState.SCHEDULED);
		this.engine.control()
			.cancel(this.engine.number("select id from rowqueue.job where payload::text = '\"late\"'"));
		Job job = this.engine.awaitState(parent, JobState.SUCCEEDED);
		assertThat(job.attempt()).as("waits use no attempt").isEqualTo(1);
		assertThat(this.seen).singleElement()
			.satisfies((outcomes) -> assertThat(outcomes).extracting(JobOutcome::state)
				.containsExactly(JobState.SUCCEEDED, JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED));
		assertThat(this.seen.get(0)).filteredOn((outcome) -> !outcome.hasSucceeded())
			.first()
			.satisfies((outcome) -> assertThat(outcome.error()).contains("as planned"));
	}

	@Test
	void jobsThatHaveEndedAreAnsweredAtOnceAlsoIfTheyAreGone() {
		this.go.countDown();
		long[] ids = enqueue("done", "broken", "gone");
		process().handle("child", this::child).handle("parent", (payload, context) -> {
			this.seen.add(context.awaitJobs("children", ids));
			assertThat(context.leaseToken()).isEqualTo(1);
		}).startAndListen();
		this.engine.awaitAllOver();
		this.engine.control().erase(ids[2]);
		this.engine.awaitState(this.engine.enqueue("parent"), JobState.SUCCEEDED);
		assertThat(this.seen.get(0)).extracting(JobOutcome::id, JobOutcome::state, JobOutcome::hasEnded)
			.containsExactly(tuple(ids[0], JobState.SUCCEEDED, true), tuple(ids[1], JobState.FAILED, true),
					tuple(ids[2], null, true));
	}

	@Test
	void whatAHandlerHasSeenWhenTheTimeHadPassedItSeesInLaterAttempts() {
		long late = this.engine.enqueue(JobRequest.of("child", "late").delay(DAY));
		AtomicBoolean broken = new AtomicBoolean(true);
		process().handle("parent", (payload, context) -> {
			this.seen.add(context.awaitJobs("children", SHORT, late));
			if (broken.get()) {
				throw new IllegalStateException("as planned");
			}
		}).startAndListen();
		long parent = this.engine.enqueue(JobRequest.of("parent").maxAttempts(2));
		this.engine.awaitState(parent, JobState.FAILED);
		assertThat(this.engine.count("job_dependency")).as("is left, and means nothing").isEqualTo(1);
		assertThat(this.engine.stores().waits().list(parent)).extracting(JobWait::state).containsExactly(State.ENDED);
		broken.set(false);
		assertThat(this.engine.control().retry(parent)).isEqualTo(RetryResult.QUEUED);
		this.engine.awaitState(parent, JobState.SUCCEEDED);
		assertThat(this.seen).hasSize(3)
			.allSatisfy(
					(outcomes) -> assertThat(outcomes).containsExactly(new JobOutcome(late, JobState.SCHEDULED, null)));
		assertThat(this.engine.control().cancel(late)).isEqualTo(CancelResult.CANCELLED);
		assertThat(this.engine.count("job_dependency")).isZero();
	}

	@Test
	void aFailedJobThatIsRetriedFromTheWaitWaitsAgain() {
		long late = this.engine.enqueue(JobRequest.of("child", "late").delay(DAY));
		process().handle("child", this::child).handle("parent", (payload, context) -> {
			Duration timeout = this.seen.isEmpty() ? SHORT : DAY;
			this.seen.add(context.awaitJobs("children", timeout, late));
			assertThat(this.seen.get(this.seen.size() - 1)).allMatch(JobOutcome::hasEnded);
		}).startAndListen();
		long parent = this.engine.enqueue(JobRequest.of("parent").maxAttempts(1));
		this.engine.awaitState(parent, JobState.FAILED);
		assertThat(this.engine.control().retryFromStep(parent, "jobs:children")).isEqualTo(RetryResult.QUEUED);
		awaitWaiting(parent);
		this.go.countDown();
		this.engine.control().reschedule(late, Duration.ZERO);
		this.engine.awaitState(parent, JobState.SUCCEEDED);
		assertThat(this.seen.get(1)).containsExactly(new JobOutcome(late, JobState.SUCCEEDED, null));
	}

	@Test
	void aJobThatEndsBetweenTheLookAndTheWaitIsNoticed() {
		process().handle("child", this::child).handle("parent", (payload, context) -> {
			long[] child = context.step("child", () -> enqueue("done"), long[].class);
			try {
				this.seen.add(context.awaitJobs("children", child));
			}
			catch (SnoozeJobException ex) {
				this.go.countDown();
				this.engine.awaitState(child[0], JobState.SUCCEEDED);
				throw ex;
			}
		}).startAndListen();
		this.engine.awaitState(this.engine.enqueue("parent"), JobState.SUCCEEDED);
		assertThat(this.seen).hasSize(1);
	}

	@Test
	void aJobOfAFlowWaitsAndItsSuccessorsWaitForIt() {
		process().handle("child", this::child).handle("parent", (payload, context) -> {
			long[] ids = context.step("children", () -> enqueue("done", "done"), long[].class);
			this.seen.add(context.awaitJobs("children", ids));
		}).handle("last", (payload, context) -> assertThat(this.seen).hasSize(1)).startAndListen();
		FlowResult flow = this.engine.queue()
			.enqueue(Flow.named("flow")
				.job("parent", JobRequest.of("parent"))
				.job("last", JobRequest.of("last"))
				.after("parent"));
		awaitWaiting(flow.jobId("parent"));
		assertThat(this.engine.job(flow.jobId("last")).state()).isEqualTo(JobState.BLOCKED);
		this.go.countDown();
		this.engine.awaitState(flow.jobId("last"), JobState.SUCCEEDED);
	}

	@Test
	void aWaitingJobCanBeCancelledAndTheOthersGoOn() {
		long late = this.engine.enqueue(JobRequest.of("child", "late").delay(DAY));
		process().handle("parent", (payload, context) -> context.awaitJobs("children", late)).startAndListen();
		long parent = this.engine.enqueue("parent");
		awaitWaiting(parent);
		assertThat(this.engine.control().cancel(parent)).isEqualTo(CancelResult.CANCELLED);
		assertThat(this.engine.count("job_dependency")).isZero();
		assertThat(this.engine.job(late).state()).isEqualTo(JobState.SCHEDULED);
	}

	@Test
	void aJobThatWouldWaitForItselfOrForWhatIsNotThereIsToldSo() {
		HikariDataSource application = this.engine.pool(4);
		JobQueue joining = new Stores(new JdbcTemplate(application), this.engine.jdbc(), SchemaName.DEFAULT, true)
			.queue(application, this.engine.wakeUps());
		this.engine.process()
			.withMaintenance()
			.application(application)
			.handleInTransaction("joins",
					(payload, context) -> refused(context, joining.enqueue(JobRequest.of("child")).id()))
			.handle("parent", (payload, context) -> {
				refused(context, context.id());
				refused(context, Long.MAX_VALUE);
				assertThatExceptionOfType(IllegalArgumentException.class)
					.isThrownBy(() -> context.awaitJobs("many", new long[1001]))
					.withMessageContaining("at most 1000");
				assertThat(context.awaitJobs("none")).isEmpty();
				long successor = this.engine.enqueue(JobRequest.of("child").after(context.id()));
				long last = this.engine.enqueue(JobRequest.of("child").after(successor));
				refused(context, last);
			})
			.startAndListen();
		this.engine.awaitState(this.engine.enqueue("joins"), JobState.SUCCEEDED);
		this.engine.awaitState(this.engine.enqueue("parent"), JobState.SUCCEEDED);
		assertThat(this.refusals).satisfiesExactly(
				(uncommitted) -> assertThat(uncommitted).contains("is not committed"),
				(itself) -> assertThat(itself).contains("is the same job"),
				(unknown) -> assertThat(unknown).contains("There is no job " + Long.MAX_VALUE),
				(successor) -> assertThat(successor).contains("waits for it"));
	}

	@Test
	void aContextOfAUnitTestKnowsNoOtherJobs() {
		JobContext context = TestJobContext.create();
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> context.awaitJobs("children", 1));
	}

	String child(String payload, JobContext context) throws Exception {
		this.go.await();
		if ("broken".equals(payload) || "unsteady".equals(payload) && context.attempt() == 1) {
			throw new IllegalStateException("as planned");
		}
		return "result of " + payload;
	}

	private long[] enqueue(String... payloads) {
		return Stream.of(payloads)
			.map((payload) -> JobRequest.of("child", payload)
				.maxAttempts(2)
				.delay("late".equals(payload) ? DAY : Duration.ZERO))
			.mapToLong(this.engine::enqueue)
			.toArray();
	}

	private void refused(JobContext context, long id) {
		assertThatExceptionOfType(JobQueueException.class).isThrownBy(() -> context.awaitJobs("children", id))
			.satisfies((ex) -> this.refusals.add(ex.getMessage()));
	}

	private TestProcess.Builder process() {
		return this.engine.process().withMaintenance().retry((attempt, error) -> Duration.ZERO);
	}

	private void awaitWaiting(long id) {
		await().until(() -> this.engine.count("job j where j.id = ? and rowqueue.awaits_jobs(j)", id) == 1);
	}

}
