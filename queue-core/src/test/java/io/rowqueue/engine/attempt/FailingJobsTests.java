package io.rowqueue.engine.attempt;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.rowqueue.HandlerOptions;
import io.rowqueue.Job;
import io.rowqueue.JobHandlers.Handler;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.PayloadConversionException;
import io.rowqueue.RetryPolicy;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.RefusedStatements;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class FailingJobsTests {

	@AutoClose
	private final Engine engine = new Engine();

	@Test
	void aFailingJobIsRetriedUntilItSucceedsAndKeepsTheErrors() {
		List<Integer> attempts = new CopyOnWriteArrayList<>();
		this.engine.process().maxAttempts(5).handle("test", (payload, context) -> {
			attempts.add(context.attempt());
			if (context.attempt() < 3) {
				throw new IllegalStateException("attempt " + context.attempt());
			}
		}).start();
		Job job = this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
		assertThat(attempts).containsExactly(1, 2, 3);
		assertThat(job.attempt()).isEqualTo(3);
		assertThat(job.lastError()).contains("IllegalStateException: attempt 2");
		assertThat(this.engine.failures(job.id())).extracting((failure) -> failure.get("attempt"))
			.containsExactly(1, 2);
	}

	@Test
	void aFailingJobFailsPermanentlyAfterTheWorkersAttempts() {
		this.engine.process().maxAttempts(2).handle("test", broken()).start();
		Job job = run(this.engine.enqueue("test"));
		assertThat(job.attempt()).isEqualTo(2);
		assertThat(job.lastError()).startsWith("java.lang.IllegalStateException: broken");
		assertThat(this.engine.failures(job.id())).hasSize(2);
	}

	@Test
	void aFailingJobFailsPermanentlyAfterTheJobsOwnAttempts() {
		this.engine.process().maxAttempts(5).handle("test", broken()).start();
		assertThat(run(this.engine.enqueue(JobRequest.of("test").maxAttempts(1))).attempt()).isEqualTo(1);
	}

	@Test
	void aFailingJobWaitsAsLongAsTheRetryPolicySays() {
		List<Integer> asked = new CopyOnWriteArrayList<>();
		this.engine.process().retry((job, error) -> {
			asked.add(job.attempt());
			assertThat(error).hasMessage("broken");
			return Duration.ofHours(2);
		}).handle("test", broken()).start();
		Job job = this.engine.awaitState(this.engine.enqueue("test"), JobState.SCHEDULED);
		assertThat(Duration.between(job.startedAt(), job.runAt())).isBetween(Duration.ofMinutes(119),
				Duration.ofMinutes(121));
		assertThat(asked).containsExactly(1);
	}

	@Test
	void aFailingJobFailsPermanentlyWhenTheRetryPolicySaysSo() {
		this.engine.process().maxAttempts(5).retry((job, error) -> null).handle("test", broken()).start();
		assertThat(run(this.engine.enqueue("test")).attempt()).isEqualTo(1);
	}

	@Test
	void theDefaultPolicyAppliesIfTheRetryPolicyFails() {
		this.engine.process().retry((job, error) -> {
			throw new NoClassDefFoundError("policy");
		}).handle("test", broken()).start();
		Job job = this.engine.awaitState(this.engine.enqueue("test"), JobState.SCHEDULED);
		assertThat(job.lastError()).contains("IllegalStateException: broken");
		assertThat(Duration.between(job.startedAt(), job.runAt())).isLessThan(Duration.ofMinutes(5));
	}

	@Test
	void delaysThatTheDatabaseCannotStoreAreHandled() {
		AtomicInteger calls = new AtomicInteger();
		this.engine.process()
			.retry((job, error) -> (calls.getAndIncrement() == 0) ? Duration.ofSeconds(Long.MAX_VALUE)
					: Duration.ofHours(-1))
			.handle("test", (payload, context) -> {
				if (context.attempt() == 1) {
					throw new IllegalStateException("broken");
				}
			})
			.start();
		this.engine.awaitState(this.engine.enqueue("test"), JobState.SCHEDULED);
		this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
	}

	@Test
	void aPayloadThatIsTooLongIsNotRead() {
		AtomicInteger calls = new AtomicInteger();
		this.engine.process().maxAttempts(5).handle("test", (payload, context) -> calls.incrementAndGet()).start();
		long id = this.engine.number("""
				insert into rowqueue.job (queue, type, state, run_at, order_at, max_attempts, payload)
				values ('default', 'test', 'queued', now(), now(), 32767, to_json(repeat('x', 16 * 1024 * 1024)))
				returning id""");
		Job job = this.engine.awaitState(id, JobState.FAILED);
		assertThat(job.attempt()).isEqualTo(1);
		assertThat(job.lastError())
			.contains("The payload has 16777218 bytes, more than rowqueue.worker.max-payload-size");
		assertThat(calls).hasValue(0);
		this.engine.awaitState(this.engine.enqueue(JobRequest.of("test", "x".repeat(20_000))), JobState.SUCCEEDED);
	}

	@Test
	void aPayloadThatCannotBeReadFailsItsJobInTheEnd() {
		unreadable("XX001");
		Job job = run(lease(20));
		assertThat(job.lastError()).contains("canceling statement");
		assertThat(job.attempt()).isEqualTo(1);
	}

	@Test
	void aJobWhosePayloadCannotBeReadIsTriedLessAndLess() {
		unreadable("XX001");
		assertThat(this.engine.awaitState(lease(6), JobState.SCHEDULED).attempt()).isZero();
	}

	@Test
	void aPayloadThatIsReadTooSlowlyCostsNoAttempt() {
		unreadable("57014");
		assertThat(this.engine.awaitState(lease(20), JobState.SCHEDULED).attempt()).isZero();
	}

	/** Reads no payload that a claim has not read. */
	private void unreadable(String errorCode) {
		this.engine.process()
			.maxAttempts(1)
			.through(new RefusedStatements(this.engine.dataSource(),
					(sql) -> sql.contains("then payload end as payload"), errorCode))
			.handle("test", (payload, context) -> {
			})
			.start();
	}

	/** A job that was released before. */
	private long lease(int free) {
		return this.engine.number("""
				insert into rowqueue.job (queue, type, state, run_at, order_at, lease, payload)
				values ('default', 'test', 'queued', now(), now(), ?, to_json(repeat('x', 20000))) returning id""",
				free);
	}

	/** A process of another version may be able to read it. */
	@Test
	void aPayloadThatDoesNotMapIsRetriedAsThePolicySays() {
		this.engine.process()
			.retry((job, error) -> Duration.ZERO)
			.maxAttempts(3)
			.handle("test", Integer.class, (number, context) -> {
			})
			.start();
		Job job = run(this.engine.enqueue(JobRequest.of("test", "no number")));
		assertThat(job.attempt()).isEqualTo(3);
		assertThat(job.lastError()).contains("PayloadConversionException").doesNotContain("no number");
	}

	@Test
	void aPayloadThatDoesNotMapIsFinalIfItsTypeSaysSo() {
		this.engine.process()
			.retry((job, error) -> Duration.ZERO)
			.register((handlers) -> handlers.add("test", Integer.class,
					HandlerOptions.NONE.noRetryFor(Set.of(PayloadConversionException.class)), (number, context) -> {
					}))
			.start();
		assertThat(run(this.engine.enqueue(JobRequest.of("test", "no number"))).attempt()).isEqualTo(1);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("strangeErrors")
	void survives(String name, Throwable error, String text) {
		this.engine.process()
			.concurrency(1)
			.maxAttempts(2)
			.handle("test", (payload, context) -> throwIt(error))
			.handle("next", (payload, context) -> {
			})
			.start();
		Job job = run(this.engine.enqueue("test"));
		assertThat(job.attempt()).isEqualTo(2);
		assertThat(job.lastError()).contains(text).hasSizeLessThan(11_000);
		this.engine.awaitState(this.engine.enqueue("next"), JobState.SUCCEEDED);
	}

	static List<Arguments> strangeErrors() {
		IllegalStateException circle = new IllegalStateException("circle");
		circle.initCause(new IllegalStateException("round", circle));
		return List.of(Arguments.of("an Error", new AssertionError("wrong"), "AssertionError: wrong"),
				Arguments.of("a huge text", new IllegalStateException("x".repeat(5_000_000)), "xxxx"),
				Arguments.of("a NUL", new IllegalStateException("a\0b"), "a\uFFFDb"),
				Arguments.of("half a character", new IllegalStateException("half \uD83D"), "half"),
				Arguments.of("no message", new NullPointerException(), "NullPointerException"),
				Arguments.of("a circle of causes", circle, "circle"),
				Arguments.of("a message that fails", new Unspeakable(false), "Unspeakable"),
				Arguments.of("a message that never ends", new Unspeakable(true), "Unspeakable"),
				Arguments.of("a cause that never ends", new Endless(true), "Endless"),
				Arguments.of("a stack that never ends", new Endless(false), "Endless"));
	}

	@Test
	void aWorkerSurvivesAStackOverflow() {
		this.engine.process().maxAttempts(1).handle("test", (payload, context) -> recurse(1)).start();
		assertThat(run(this.engine.enqueue("test")).lastError()).startsWith("java.lang.StackOverflowError");
	}

	@Test
	void anOutcomeThatCannotBeStoredDoesNotDelayOthers() throws Exception {
		try (Engine strict = Engine.withOwnDatabase()) {
			strict.jdbc().execute("alter table rowqueue.job add check (last_error not like '%unspeakable%')");
			strict.process().maxAttempts(1).handle("test", (payload, context) -> {
				if (payload != null) {
					throw new IllegalStateException(payload);
				}
			}).start();
			long refused = strict.enqueue(JobRequest.of("test", "unspeakable"));
			long fine = strict.enqueue(JobRequest.of("test"));
			long failed = strict.enqueue(JobRequest.of("test", "speakable"));
			strict.awaitState(fine, JobState.SUCCEEDED);
			strict.awaitState(failed, JobState.FAILED);
			assertThat(strict.awaitState(refused, JobState.FAILED).lastError())
				.startsWith("The outcome could not be stored: ");
		}
	}

	@Test
	void aFailingJobUsesTheStandardBackoffByDefault() {
		this.engine.process().retry(RetryPolicy.DEFAULT).handle("test", broken()).start();
		Job job = this.engine.awaitState(this.engine.enqueue("test"), JobState.SCHEDULED);
		Map<String, Object> failure = this.engine.failures(job.id()).get(0);
		assertThat(failure).containsEntry("attempt", 1);
		assertThat(this.engine.number("select extract(epoch from j.run_at - f.failed_at) * 1000 from rowqueue.job j"
				+ " join rowqueue.job_failure f on f.job_id = j.id where j.id = ?", job.id()))
			.isBetween(1500L, 2100L);
	}

	private Job run(long id) {
		return this.engine.awaitState(id, JobState.FAILED);
	}

	private static Handler<String> broken() {
		return (payload, context) -> {
			throw new IllegalStateException("broken");
		};
	}

	private static int recurse(int depth) {
		return (depth > 0) ? recurse(depth + 1) + 1 : depth;
	}

	@SuppressWarnings("unchecked")
	private static <T extends Throwable> void throwIt(Throwable error) throws T {
		throw (T) error;
	}

	/** Computes its causes, or where it was thrown. */
	private static final class Endless extends RuntimeException {

		private final boolean causes;

		Endless(boolean causes) {
			this.causes = causes;
		}

		@Override
		public synchronized Throwable getCause() {
			return this.causes ? getCause().getCause() : null;
		}

		@Override
		public StackTraceElement[] getStackTrace() {
			return this.causes ? super.getStackTrace() : getStackTrace().clone();
		}

	}

	/** Cannot say what happened. */
	private static final class Unspeakable extends RuntimeException {

		private final boolean endless;

		Unspeakable(boolean endless) {
			this.endless = endless;
		}

		@Override
		public String getMessage() {
			if (this.endless) {
				return getMessage() + getMessage();
			}
			throw new IllegalArgumentException("no words");
		}

	}

}
