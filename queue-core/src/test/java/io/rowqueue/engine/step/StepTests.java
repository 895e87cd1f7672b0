package io.rowqueue.engine.step;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.rowqueue.FailJobException;
import io.rowqueue.HandlerOptions;
import io.rowqueue.Job;
import io.rowqueue.JobContext;
import io.rowqueue.JobQueueException;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.control.RetryResult;
import io.rowqueue.engine.history.RetainTask;
import io.rowqueue.engine.history.Retention;
import io.rowqueue.step.JobWait;
import io.rowqueue.step.RecordedStep;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.TestJobContext;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Handlers that record what they have done. */
class StepTests {

	@AutoClose
	private final Engine engine = new Engine();

	private final List<String> done = Collections.synchronizedList(new ArrayList<>());

	@Test
	void aRetryGoesOnAfterTheLastStep() throws Exception {
		List<Object> results = Collections.synchronizedList(new ArrayList<>());
		process().handle("report", (payload, context) -> {
			results.add(context.step("count", () -> did("count", 42L), Long.class));
			results.add(context.step("words", () -> did("words", List.of(Map.of("a", 1))),
					new ParameterizedTypeReference<List<Map<String, Integer>>>() {
					}));
			results.add(context.step("nothing", () -> did("nothing", null), String.class));
			context.step("mail", () -> this.done.add("mail"));
			if (context.attempt() < 3) {
				throw new IllegalStateException("not yet");
			}
			context.step("last", () -> this.done.add("last"));
		}).startAndListen();
		long id = this.engine.enqueue("report");
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(this.done).containsExactly("count", "words", "nothing", "mail", "last");
		assertThat(results).hasSize(9);
		assertThat(results.subList(3, 6)).isEqualTo(results.subList(0, 3));
		assertThat(results.subList(6, 9)).isEqualTo(results.subList(0, 3));
	}

	@Test
	void aStepThatThrowsIsNotRecorded() {
		process().handle("report", (payload, context) -> context.step("once", () -> {
			this.done.add("try");
			if (context.attempt() == 1) {
				throw new IllegalStateException("broken");
			}
		})).startAndListen();
		this.engine.awaitState(this.engine.enqueue("report"), JobState.SUCCEEDED);
		assertThat(this.done).hasSize(2);
	}

	@Test
	void aFailedJobThatIsRetriedManuallyContinuesWhereItWas() {
		AtomicInteger broken = new AtomicInteger(1);
		process().handle("report", (payload, context) -> {
			context.step("first", () -> this.done.add("first"));
			if (broken.get() == 1) {
				throw new IllegalStateException("broken");
			}
		}).startAndListen();
		long id = this.engine.enqueue(JobRequest.of("report").maxAttempts(1));
		this.engine.awaitState(id, JobState.FAILED);
		assertThat(this.engine.stores().steps().list(id)).extracting(RecordedStep::name).containsExactly("first");
		retain();
		broken.set(0);
		this.engine.control().retry(id);
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(this.done).containsExactly("first");
		retain();
		assertThat(this.engine.count("job_step")).as("steps of jobs that have ended are not kept").isZero();
	}

	@Test
	void aFailedJobIsRetriedFromAStepOn() {
		AtomicInteger broken = new AtomicInteger(1);
		process().handle("report", (payload, context) -> {
			for (String step : List.of("a", "b", "c")) {
				context.step(step, () -> this.done.add(step));
			}
			if (broken.get() == 1) {
				throw new IllegalStateException("broken");
			}
		}).startAndListen();
		long id = this.engine.enqueue(JobRequest.of("report").maxAttempts(1));
		this.engine.awaitState(id, JobState.FAILED);
		assertThat(this.engine.control().retryFromStep(id, "x")).isEqualTo(RetryResult.UNKNOWN_STEP);
		assertThat(this.engine.stores().steps().list(id)).hasSize(3);
		assertThat(this.engine.control().retryFromStep(id, "b")).isEqualTo(RetryResult.QUEUED);
		this.engine.awaitState(id, JobState.FAILED);
		assertThat(this.done).containsExactly("a", "b", "c", "b", "c");
		broken.set(0);
		assertThat(this.engine.control().retryFromStep(id, "c")).isEqualTo(RetryResult.QUEUED);
		this.engine.awaitState(id, JobState.SUCCEEDED);
		assertThat(this.done).containsExactly("a", "b", "c", "b", "c", "c");
		assertThat(this.engine.control().retryFromStep(id, "a")).isEqualTo(RetryResult.NOT_FAILED);
		retain();
		assertThat(this.engine.count("job_step")).isZero();
	}

	@Test
	void itSleepsAgainWhereItSleptAfterTheStep() {
		process().withMaintenance().handle("report", (payload, context) -> {
			context.sleep("before", Duration.ofMillis(1));
			context.step("a", () -> this.done.add("a"));
			context.sleep("after", Duration.ofMillis(1));
			throw new IllegalStateException("broken");
		}).startAndListen();
		long id = this.engine.enqueue(JobRequest.of("report").maxAttempts(1));
		this.engine.awaitState(id, JobState.FAILED);
		this.engine.control().pauseQueue("default", null);
		assertThat(this.engine.control().retryFromStep(id, "a")).isEqualTo(RetryResult.QUEUED);
		assertThat(this.engine.stores().waits().list(id)).extracting(JobWait::name).containsExactly("before");
	}

	@Test
	void aStepWhoseLeaseWasLostDoesNotCount() throws Exception {
		CountDownLatch runs = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		CountDownLatch refused = new CountDownLatch(1);
		AtomicReference<Exception> error = new AtomicReference<>();
		process().handle("report", (payload, context) -> {
			try {
				context.step("first", () -> {
					runs.countDown();
					goOn.await();
				});
			}
			catch (JobQueueException ex) {
				error.set(ex);
				refused.countDown();
				throw ex;
			}
		}).startAndListen();
		long id = this.engine.enqueue("report");
		runs.await();
		this.engine.jdbc().update("update rowqueue.job set lease = lease + 1 where id = ?", id);
		goOn.countDown();
		refused.await();
		assertThat(error.get()).hasMessageContainingAll("'first'", "the lease was lost");
		assertThat(this.engine.stores().steps().list(id)).isEmpty();
	}

	@Test
	void aTransactionThatRollsBackTakesItsStepsWithIt() {
		JdbcTemplate application = new JdbcTemplate(this.engine.pool(4));
		this.engine.process()
			.application(application.getDataSource())
			.retry((attempt, error) -> Duration.ZERO)
			.handle("report", HandlerOptions.NONE.transactional(true), (payload, context) -> {
				context.step("first", () -> this.done.add("first"));
				if (context.attempt() == 1) {
					throw new IllegalStateException("broken");
				}
			})
			.startAndListen();
		this.engine.awaitState(this.engine.enqueue("report"), JobState.SUCCEEDED);
		assertThat(this.done).as("its effects were rolled back as well").containsExactly("first", "first");
	}

	@Test
	void genericResultsOfAPolymorphicTypeAreReadByTheNextAttempt() {
		process().handle("report", (payload, context) -> {
			assertThat(context.step("list", () -> did("list", List.<Payment>of(new Card("1"), new Cash(2))),
					new ParameterizedTypeReference<List<Payment>>() {
					}))
				.containsExactly(new Card("1"), new Cash(2));
			assertThat(context.step("map", () -> did("map", Map.<String, Payment>of("a", new Card("1"))),
					new ParameterizedTypeReference<Map<String, Payment>>() {
					}))
				.containsEntry("a", new Card("1"));
			assertThat(context.step("one", () -> did("one", new Card("1")), Payment.class)).isEqualTo(new Card("1"));
			if (context.attempt() == 1) {
				throw new IllegalStateException("not yet");
			}
		}).startAndListen();
		this.engine.awaitState(this.engine.enqueue("report"), JobState.SUCCEEDED);
		assertThat(this.done).containsExactly("list", "map", "one");
	}

	@Test
	void aResultThatCannotBeReadBackIsNoticedByTheAttemptThatRecordsItAndNeverFinal() {
		List<JobContext> attempts = Collections.synchronizedList(new ArrayList<>());
		process().handle("report", (payload, context) -> {
			attempts.add(context);
			context.recordStep("charge", () -> did("charge", Map.of("a", "b")), Long.class);
		}).startAndListen();
		long id = this.engine.enqueue(JobRequest.of("report").maxAttempts(3));
		String error = this.engine.awaitState(id, JobState.FAILED).lastError();
		assertThat(error).contains("'charge'", "cannot be read back as java.lang.Long", "retryFromStep");
		assertThat(attempts).as("retried by its policy").hasSize(3);
		assertThat(this.done).as("recorded").containsExactly("charge");
		assertThat(this.engine.control().retryFromStep(id, "charge")).isEqualTo(RetryResult.QUEUED);
	}

	@Test
	void namesAndResultsHaveLimits() {
		AtomicReference<Throwable> tooBig = new AtomicReference<>();
		process().handle("report", (payload, context) -> {
			for (String name : List.of("", " ", "x".repeat(201), "a\0b")) {
				assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> context.step(name, () -> {
				})).withMessageContaining("the name of a step");
			}
			try {
				context.step("big", () -> "x".repeat(1024 * 1024), String.class);
			}
			catch (FailJobException ex) {
				tooBig.set(ex);
			}
		}).startAndListen();
		this.engine.awaitState(this.engine.enqueue("report"), JobState.SUCCEEDED);
		assertThat(tooBig.get()).hasMessageContainingAll("the step 'big'", "1048578 bytes");
	}

	/** Each attempt would do the step again. */
	@Test
	void aResultThatCannotBeWrittenIsFinal() {
		process().handle("report", (payload, context) -> context.step("charge", () -> did("charge", new Object() {

			@SuppressWarnings("unused")
			public Object getBroken() {
				throw new IllegalStateException("as planned");
			}

		}), Object.class)).startAndListen();
		Job job = this.engine.awaitState(this.engine.enqueue("report"), JobState.FAILED);
		assertThat(job.lastError()).contains("The result of the step 'charge'", "cannot be written as JSON");
		assertThat(this.done).containsExactly("charge");
	}

	@Test
	void aStepWithoutAWorkerSimplyExecutes() throws Exception {
		JobContext context = TestJobContext.create();
		assertThat(context.step("count", () -> 42, Integer.class)).isEqualTo(42);
		context.step("mail", () -> this.done.add("mail"));
		assertThat(this.done).containsExactly("mail");
	}

	private TestProcess.Builder process() {
		return this.engine.process().retry((attempt, error) -> Duration.ZERO);
	}

	private <T> T did(String step, T result) {
		this.done.add(step);
		return result;
	}

	private void retain() {
		new RetainTask(this.engine.queueDatabase(), Retention.DEFAULT, () -> {
		}).run();
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	@JsonSubTypes({ @JsonSubTypes.Type(value = Card.class, name = "card"),
			@JsonSubTypes.Type(value = Cash.class, name = "cash") })
	sealed interface Payment permits Card, Cash {

	}

	record Card(String number) implements Payment {

	}

	record Cash(long cents) implements Payment {

	}

}
