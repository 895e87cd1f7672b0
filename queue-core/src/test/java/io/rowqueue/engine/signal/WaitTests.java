package io.rowqueue.engine.signal;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.rowqueue.FailJobException;
import io.rowqueue.HandlerOptions;
import io.rowqueue.Job;
import io.rowqueue.JobContext;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.control.CancelResult;
import io.rowqueue.engine.history.RetainTask;
import io.rowqueue.engine.history.Retention;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.step.JobWait.State;
import io.rowqueue.step.JobWait;
import io.rowqueue.step.SignalResult;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.TestJobContext;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.dao.DataAccessException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Handlers that wait for signals and times between their steps. */
@Execution(ExecutionMode.CONCURRENT)
class WaitTests {

	private static final Duration LONG = Duration.ofHours(3);

	private static final Duration SHORT = Duration.ofMillis(1);

	@AutoClose
	private final Engine engine = new Engine();

	private final List<String> done = Collections.synchronizedList(new ArrayList<>());

	record Decision(boolean approved, String by) {

	}

	@Test
	void aSignalResumesTheHandlerAfterItsSteps() {
		approvals();
		long id = this.engine.enqueue(JobRequest.of("order", "7").maxAttempts(1));
		awaitWaiting(id);
		assertThat(this.engine.leased()).as("no slot is held").isZero();
		assertThat(this.engine.queue().signal(id, "approval", new Decision(true, "ada")))
			.isEqualTo(SignalResult.STORED);
		Job job = this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(this.done).containsExactly("reserve 7", "approved by ada");
		assertThat(job.attempt()).as("waits use no attempt").isEqualTo(1);
	}

	@Test
	void aSignalThatWasSentFirstIsRemembered() {
		long id = this.engine.enqueue(JobRequest.of("order", "7"));
		assertThat(this.engine.queue().signal(id, "approval", new Decision(true, "ada")))
			.isEqualTo(SignalResult.STORED);
		approvals();
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(this.done).containsExactly("reserve 7", "approved by ada");
	}

	@Test
	void aRepeatedSignalHasNoEffect() {
		long id = this.engine.enqueue(JobRequest.of("order", "7"));
		this.engine.queue().signal(id, "approval", new Decision(true, "ada"));
		assertThat(this.engine.queue().signal(id, "approval", new Decision(false, "bob")))
			.isEqualTo(SignalResult.ALREADY_SENT);
		approvals();
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(this.done).contains("approved by ada");
		assertThat(this.engine.queue().signal(id, "approval", null)).isEqualTo(SignalResult.NO_SUCH_JOB);
	}

	@Test
	void aSignalThatCannotBeReadIsReplacedByTheNextOne() {
		this.engine.process()
			.withMaintenance()
			.retry((attempt, error) -> LONG)
			.handle("order",
					(payload, context) -> this.done
						.add("approved by " + context.awaitSignal("approval", Decision.class, LONG).orElseThrow().by()))
			.startAndListen();
		List<Long> ids = List.of(this.engine.enqueue(JobRequest.of("order")),
				this.engine.enqueue(JobRequest.of("order").maxAttempts(1)));
		ids.forEach((id) -> this.engine.queue().signal(id, "approval", "not a decision"));
		await().until(() -> ids.stream().allMatch((id) -> this.engine.failures(id).size() == 1));
		assertThat(this.engine.failures(ids.get(0)).get(0).get("error").toString()).contains("'approval'",
				"cannot be read as " + Decision.class.getName(), "Send it again");
		assertThat(this.engine.job(ids.get(0)).state()).isEqualTo(JobState.SCHEDULED);
		assertThat(this.engine.job(ids.get(1)).state()).isEqualTo(JobState.FAILED);
		for (long id : ids) {
			assertThat(this.engine.queue().signal(id, "approval", new Decision(true, "ada")))
				.isEqualTo(SignalResult.STORED);
			assertThat(this.engine.queue().signal(id, "approval", new Decision(true, "bob")))
				.isEqualTo(SignalResult.ALREADY_SENT);
		}
		this.engine.control().reschedule(ids.get(0), Duration.ZERO);
		this.engine.control().retry(ids.get(1));
		ids.forEach((id) -> this.engine.awaitState(id, JobState.SUCCEEDED));
		assertThat(this.done).containsExactly("approved by ada", "approved by ada");
	}

	/** As during a deployment, while both versions of a handler run. */
	@Test
	void aSignalThatCouldNotBeReadIsReadByALaterAttempt() {
		process().handle("order", (payload, context) -> {
			if (context.attempt() == 1) {
				context.awaitSignal("approval", Decision.class, LONG);
			}
			this.done.add(context.awaitSignal("approval", String.class, LONG).orElseThrow());
		}).startAndListen();
		long id = this.engine.enqueue("order");
		this.engine.queue().signal(id, "approval", "yes");
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(this.done).containsExactly("yes");
	}

	@Test
	void aJobIsFoundByItsUniqueKey() {
		long id = this.engine.enqueue(JobRequest.of("order", "7").uniqueKey("order 7"));
		approvals();
		awaitWaiting(id);
		assertThat(this.engine.queue().signal("order 8", "approval", null)).isEqualTo(SignalResult.NO_SUCH_JOB);
		assertThat(this.engine.queue().signal("order 7", "approval", new Decision(true, "ada")))
			.isEqualTo(SignalResult.STORED);
		this.engine.awaitState(id, JobState.SUCCEEDED);
	}

	@Test
	void aHandlerContinuesWithoutASignalThatDoesNotCome() {
		List<Boolean> answers = Collections.synchronizedList(new ArrayList<>());
		process().handle("order", (payload, context) -> {
			answers.add(context.awaitSignal("approval", SHORT));
			assertThat(this.engine.queue().signal(context.id(), "approval", null)).isEqualTo(SignalResult.TOO_LATE);
			answers.add(context.awaitSignal("approval", LONG));
			if (context.attempt() == 1) {
				throw new IllegalStateException("broken");
			}
		}).startAndListen();
		this.engine.awaitState(this.engine.enqueue("order"), JobState.SUCCEEDED);
		assertThat(answers).as("also in later attempts").containsExactly(false, false, false, false);
	}

	@Test
	void nothingWaitsForATimeThatIsNotPositive() {
		List<Object> answers = Collections.synchronizedList(new ArrayList<>());
		process().handle("order", (payload, context) -> {
			context.sleep("until noon", Duration.ofHours(-1));
			context.sleep("until noon", Duration.ZERO);
			answers.add(context.awaitSignal("payment", Duration.ZERO));
			answers.add(context.awaitSignal("approval", Decision.class, Duration.ofHours(-1)).isPresent());
			answers.add(this.engine.queue().signal(context.id(), "approval", new Decision(true, "ada")));
			answers.add(context.awaitSignal("approval", LONG));
		}).startAndListen();
		long id = this.engine.enqueue(JobRequest.of("order", null).delay(Duration.ofDays(1)));
		this.engine.queue().signal(id, "payment", null);
		this.engine.control().reschedule(id, Duration.ZERO);
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(answers).containsExactly(true, false, SignalResult.TOO_LATE, false);
	}

	@Test
	void aManualRetryWaitsAgain() {
		process().handle("order", (payload, context) -> {
			if (!context.awaitSignal("approval", SHORT)) {
				throw new FailJobException("it was not approved");
			}
		}).startAndListen();
		long id = this.engine.enqueue("order");
		this.engine.awaitState(id, JobState.FAILED);
		assertThat(this.engine.queue().signal(id, "approval", null)).isEqualTo(SignalResult.TOO_LATE);
		this.engine.jdbc()
			.execute(
					"insert into rowqueue.pause (kind, name, reason) values ('type', 'order', 'until it is signalled')");
		this.engine.control().retry(id);
		assertThat(this.engine.queue().signal(id, "approval", null)).isEqualTo(SignalResult.STORED);
		this.engine.control().resumeType("order");
		this.engine.awaitState(id, JobState.SUCCEEDED);
	}

	@Test
	void aHandlerSleeps() {
		AtomicInteger calls = new AtomicInteger();
		process().handle("reminder", (payload, context) -> {
			calls.incrementAndGet();
			context.sleep("first", SHORT);
			context.sleep("second", SHORT);
		}).startAndListen();
		Job job = this.engine.awaitState(this.engine.enqueue("reminder"), JobState.SUCCEEDED);
		assertThat(calls.get()).isEqualTo(3);
		assertThat(job.attempt()).isEqualTo(1);
	}

	@Test
	void aHandlerThatCatchesTheExceptionWaitsAnyway() {
		process().handle("order", (payload, context) -> {
			try {
				context.awaitSignal("approval", LONG);
			}
			catch (SnoozeJobException ex) {
				this.done.add("caught");
			}
		}).startAndListen();
		long id = this.engine.enqueue("order");
		awaitWaiting(id);
		this.engine.queue().signal(id, "approval", null);
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(this.done).containsExactly("caught");
	}

	@Test
	void aWaitKeepsItsEndWhenTheHandlerIsCalledEarlier() {
		approvals();
		long id = this.engine.enqueue(JobRequest.of("order", "7"));
		awaitWaiting(id);
		JobWait before = this.engine.stores().waits().list(id).get(0);
		this.engine.control().reschedule(id, Duration.ZERO);
		await().until(() -> this.engine.job(id).startedAt().isAfter(before.beganAt()));
		awaitWaiting(id);
		assertThat(this.engine.stores().waits().list(id)).containsExactly(before);
		assertThat(this.engine.job(id).runAt()).isEqualTo(before.until());
	}

	@Test
	void aWaitingJobShowsWhatItWaitsFor() {
		approvals();
		long id = this.engine.enqueue(JobRequest.of("order", "7"));
		awaitWaiting(id);
		assertThat(this.engine.count("job_wait where name = 'approval'")).isEqualTo(1);
		assertThat(this.engine.stores().waits().list(id)).singleElement()
			.satisfies((wait) -> assertThat(wait.state()).isEqualTo(State.WAITING));
	}

	@Test
	void aWaitingJobCanBeCancelledAndLeavesNothing() {
		approvals();
		long id = this.engine.enqueue(JobRequest.of("order", "7"));
		awaitWaiting(id);
		this.engine.queue().signal(id, "other", null);
		assertThat(this.engine.control().cancel(id)).isEqualTo(CancelResult.CANCELLED);
		new RetainTask(this.engine.queueDatabase(), Retention.DEFAULT, () -> {
		}).run();
		assertThat(this.engine.count("job_wait")).isZero();
		assertThat(this.engine.count("job_signal")).isZero();
	}

	@Test
	void aSignalThatIsCommittedWhileTheJobBeginsToWaitIsNotLost() throws Exception {
		CountDownLatch asked = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		process().handle("order", (payload, context) -> {
			try {
				context.awaitSignal("approval", LONG);
			}
			catch (SnoozeJobException ex) {
				asked.countDown();
				goOn.await();
				throw ex;
			}
		}).startAndListen();
		long id = this.engine.enqueue("order");
		asked.await();
		try (OpenTransaction sender = this.engine.begin()) {
			sender.execute("select rowqueue.signal(" + id + ", 'approval')");
			goOn.countDown();
			awaitWaiting(id);
			sender.commit();
		}
		this.engine.awaitState(id, JobState.SUCCEEDED);
	}

	@Test
	void aSignalThatIsSentBeforeTheJobIsClaimedAndCommittedWhenItWaitsIsNotLost() throws Exception {
		long id = this.engine.enqueue(JobRequest.of("order", "7"));
		try (OpenTransaction sender = this.engine.begin()) {
			sender.execute("select rowqueue.signal(" + id + ", 'approval', '{\"approved\": true, \"by\": \"ada\"}')");
			approvals();
			awaitWaiting(id);
			sender.commit();
		}
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(this.done).endsWith("approved by ada");
	}

	@Test
	void aSignalThatIsSentWhileTheJobWaitsForAnotherOneAndCommittedLaterIsNotLost() throws Exception {
		process().handle("order", (payload, context) -> {
			context.awaitSignal("payment", LONG);
			context.awaitSignal("approval", LONG);
		}).startAndListen();
		long id = this.engine.enqueue("order");
		awaitWaitingFor(id, "payment");
		try (OpenTransaction sender = this.engine.begin()) {
			sender.execute("select rowqueue.signal(" + id + ", 'approval')");
			this.engine.queue().signal(id, "payment", null);
			awaitWaitingFor(id, "approval");
			sender.commit();
		}
		this.engine.awaitState(id, JobState.SUCCEEDED);
	}

	@Test
	void aSignalIsAPartOfTheTransactionThatSendsIt() throws SQLException {
		approvals();
		long id = this.engine.enqueue(JobRequest.of("order", "7"));
		awaitWaiting(id);
		try (OpenTransaction sender = this.engine.begin()) {
			sender.execute("select rowqueue.signal(" + id + ", 'approval', '{\"approved\": true, \"by\": \"bob\"}')");
			sender.rollback();
		}
		assertThat(this.engine.job(id).state()).isEqualTo(JobState.SCHEDULED);
		assertThat(this.engine.queue().signal(id, "approval", new Decision(true, "ada")))
			.isEqualTo(SignalResult.STORED);
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(this.done).endsWith("approved by ada");
	}

	@Test
	void aJobWithALimitKeyLetsOthersRunWhileItWaits() {
		this.engine.limits().set(LimitKind.KEY, "customer", Limit.concurrency(1), true);
		process().handle("order", (payload, context) -> {
			if ("waits".equals(payload)) {
				context.awaitSignal("approval", LONG);
			}
		}).startAndListen();
		long waiting = this.engine.enqueue(JobRequest.of("order", "waits").limitKey("customer:1"));
		long other = this.engine.enqueue(JobRequest.of("order", "runs").limitKey("customer:1"));
		this.engine.awaitState(other, JobState.SUCCEEDED);
		awaitWaiting(waiting);
		this.engine.queue().signal(waiting, "approval", null);
		this.engine.awaitState(waiting, JobState.SUCCEEDED);
	}

	@Test
	void aTransactionalHandlerBeginsAnew() {
		this.engine.process().application(this.engine.pool(4)).handleInTransaction("order", (payload, context) -> {
			context.step("reserve", () -> this.done.add("reserve"));
			context.awaitSignal("approval", LONG);
		}).startAndListen();
		long id = this.engine.enqueue("order");
		awaitWaiting(id);
		this.engine.queue().signal(id, "approval", null);
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(this.done).as("its effects were rolled back as well").containsExactly("reserve", "reserve");
	}

	@Test
	void aCallForSeveralJobsCannotWait() {
		AtomicReference<Throwable> refusal = new AtomicReference<>();
		process().register((registry) -> registry.addCoalescing("order", String.class, HandlerOptions.NONE.coalesce(10),
				(jobs) -> jobs.forEach((job) -> {
					try {
						job.context().awaitSignal("approval", LONG);
					}
					catch (IllegalStateException ex) {
						refusal.set(ex);
					}
				})))
			.startAndListen();
		this.engine.awaitState(this.engine.enqueue("order"), JobState.SUCCEEDED);
		assertThat(refusal.get()).hasMessageContaining("called for several jobs at once");
	}

	@Test
	void theArgumentsHaveLimits() {
		AtomicReference<Throwable> withoutPayload = new AtomicReference<>();
		process().handle("order", (payload, context) -> {
			Duration tooLong = Duration.ofDays(400_000);
			assertThatExceptionOfType(IllegalArgumentException.class)
				.isThrownBy(() -> context.awaitSignal("a", tooLong));
			assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> context.sleep("a", tooLong));
			assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> context.awaitSignal(" ", LONG));
			this.engine.queue().signal(context.id(), "empty", null);
			try {
				context.awaitSignal("empty", String.class, LONG);
			}
			catch (JobQueueException ex) {
				withoutPayload.set(ex);
			}
		}).startAndListen();
		this.engine.awaitState(this.engine.enqueue("order"), JobState.SUCCEEDED);
		assertThat(withoutPayload.get()).hasMessageContaining("'empty'").hasMessageContaining("no payload");
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> this.engine.queue().signal(1, "", null));
		for (String call : List.of("null, 'a'", "1, ' '", "1, repeat('a', 201)", "1, null")) {
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> this.engine.jdbc().queryForList("select rowqueue.signal(" + call + ")"))
				.withMessageContaining("signal: ");
		}
	}

	@Test
	void aContextOfAUnitTestDoesNotSleep() {
		JobContext context = TestJobContext.create();
		context.sleep("a", LONG);
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> context.awaitSignal("a", LONG));
	}

	private void approvals() {
		process().handle("order", (payload, context) -> {
			context.step("reserve", () -> this.done.add("reserve " + payload));
			Optional<Decision> decision = context.awaitSignal("approval", Decision.class, LONG);
			this.done.add(decision.map((each) -> "approved by " + each.by()).orElse("timed out"));
		}).startAndListen();
	}

	private TestProcess.Builder process() {
		return this.engine.process().withMaintenance().retry((attempt, error) -> Duration.ZERO);
	}

	private void awaitWaiting(long id) {
		await().until(() -> this.engine.job(id).state() == JobState.SCHEDULED);
	}

	private void awaitWaitingFor(long id, String signal) {
		await().until(() -> this.engine.count(
				"job_wait w join rowqueue.job j on j.id = w.job_id and j.lease = w.lease and j.state = 'scheduled' where j.id = ? and w.name = ?",
				id, signal) == 1);
	}

}
