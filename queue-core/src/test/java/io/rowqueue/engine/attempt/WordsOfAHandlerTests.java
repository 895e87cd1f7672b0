package io.rowqueue.engine.attempt;

import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.Supplier;

import ch.qos.logback.classic.Level;
import io.rowqueue.CancelJobException;
import io.rowqueue.FailJobException;
import io.rowqueue.Job;
import io.rowqueue.JobHandlers.Handler;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.SnoozeJobException;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What a handler can say of its job by throwing. */
class WordsOfAHandlerTests {

	static final List<Function<RuntimeException, RuntimeException>> WRAPPINGS = List.of((error) -> error,
			UndeclaredThrowableException::new, (error) -> new IllegalStateException(new RuntimeException(error)));

	@AutoClose
	private final Engine engine = new Engine();

	@AutoClose
	private final Log log = Log.ofJobs();

	@ParameterizedTest
	@FieldSource("WRAPPINGS")
	void aSnoozedJobComesBackWithoutHavingUsedAnAttempt(Function<RuntimeException, RuntimeException> wrapping) {
		List<Integer> attempts = new CopyOnWriteArrayList<>();
		this.engine.process().maxAttempts(1).handle("test", (payload, context) -> {
			attempts.add(context.attempt());
			if (attempts.size() < 4) {
				throw wrapping.apply(SnoozeJobException.by(Duration.ZERO, "not yet"));
			}
		}).start();
		Job job = this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
		assertThat(attempts).containsExactly(1, 1, 1, 1);
		assertThat(job.attempt()).isEqualTo(1);
		assertThat(job.lastError()).isNull();
		assertThat(this.engine.failures(job.id())).isEmpty();
		assertThat(this.log.lines(Level.INFO)).hasSize(3).allMatch((line) -> line.endsWith("for 0 ms: not yet"));
		assertThat(this.log.lines(Level.WARN)).isEmpty();
	}

	@Test
	void aSnoozedJobWaitsAsLongAsItsHandlerSays() {
		this.engine.process().handle("test", throwing(() -> SnoozeJobException.by(Duration.ofHours(2)))).start();
		Job job = this.engine.awaitState(this.engine.enqueue("test"), JobState.SCHEDULED);
		assertThat(Duration.between(job.startedAt(), job.runAt())).isBetween(Duration.ofMinutes(119),
				Duration.ofMinutes(121));
		assertThat(job.attempt()).isZero();
	}

	@Test
	void aSnoozedJobWaitsUntilTheTimeThatItsHandlerGives() {
		Instant time = Instant.parse("2150-01-02T03:04:05Z");
		this.engine.process().handle("test", throwing(() -> SnoozeJobException.until(time))).start();
		Job job = this.engine.awaitState(this.engine.enqueue(JobRequest.of("test").tolerance(Duration.ofMinutes(1))),
				JobState.SCHEDULED);
		assertThat(job.runAt()).isEqualTo(time);
		assertThat(this.engine.number("select extract(epoch from order_at - run_at) from rowqueue.job")).isEqualTo(60);
	}

	@Test
	void aTimeInThePastMeansAtOnce() {
		List<Instant> due = new CopyOnWriteArrayList<>();
		this.engine.process().handle("test", (payload, context) -> {
			due.add(context.runAt());
			if (due.size() == 1) {
				throw SnoozeJobException.until(Instant.parse("2001-01-01T00:00:00Z"));
			}
		}).start();
		this.engine.awaitState(this.engine.enqueue("test"), JobState.SUCCEEDED);
		assertThat(due.get(1)).isAfter(due.get(0));
	}

	@Test
	void theLongestSnoozeCanBeStored() {
		this.engine.process().handle("test", throwing(() -> SnoozeJobException.by(JobRequest.MAX_DELAY))).start();
		this.engine.awaitState(this.engine.enqueue("test"), JobState.SCHEDULED);
	}

	@Test
	void aSnoozeHasBounds() {
		assertThatIllegalArgumentException().isThrownBy(() -> SnoozeJobException.by(Duration.ofNanos(-1)))
			.withMessage("delay must not be negative: PT-0.000000001S");
		assertThatIllegalArgumentException().isThrownBy(() -> SnoozeJobException.by(JobRequest.MAX_DELAY.plusNanos(1)))
			.withMessageStartingWith("delay must be at most PT8760000H");
		assertThatIllegalArgumentException().isThrownBy(() -> SnoozeJobException.until(Instant.MAX))
			.withMessageStartingWith("time must be between 1970 and the year 2969");
	}

	@ParameterizedTest
	@FieldSource("WRAPPINGS")
	void aJobThatItsHandlerFailsIsNotTriedAgain(Function<RuntimeException, RuntimeException> wrapping) {
		this.engine.process()
			.maxAttempts(5)
			.handle("test", throwing(() -> wrapping.apply(new NoSuchCustomer())))
			.start();
		Job job = this.engine.awaitState(this.engine.enqueue("test"), JobState.FAILED);
		assertThat(job.attempt()).isEqualTo(1);
		assertThat(job.lastError()).contains("NoSuchCustomer: 42");
		assertThat(this.engine.failures(job.id())).hasSize(1);
	}

	@ParameterizedTest
	@FieldSource("WRAPPINGS")
	void aJobThatItsHandlerCancelsIsCancelled(Function<RuntimeException, RuntimeException> wrapping) {
		this.engine.process()
			.handle("test", throwing(() -> wrapping.apply(new CancelJobException("the order\nwas withdrawn"))))
			.start();
		Job job = this.engine.awaitState(this.engine.enqueue("test"), JobState.CANCELLED);
		assertThat(job.lastError()).isNull();
		assertThat(this.engine.failures(job.id())).isEmpty();
		assertThat(this.log.lines(Level.INFO))
			.containsExactly("Job " + job.id() + " (test) was cancelled by its handler: the order was withdrawn");
		assertThat(this.log.lines(Level.WARN)).isEmpty();
	}

	@Test
	void aJobThatIsCancelledMeanwhileIsNotSnoozed() throws InterruptedException {
		CountDownLatch started = new CountDownLatch(1);
		this.engine.process().handle("test", (payload, context) -> {
			started.countDown();
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				throw SnoozeJobException.by(Duration.ofDays(1));
			}
		}).start();
		long id = this.engine.enqueue("test");
		started.await();
		this.engine.control().cancel(id);
		this.engine.awaitState(id, JobState.CANCELLED);
	}

	private static Handler<String> throwing(Supplier<RuntimeException> error) {
		return (payload, context) -> {
			throw error.get();
		};
	}

	private static class NoSuchCustomer extends FailJobException {

		NoSuchCustomer() {
			super("42");
		}

	}

}
