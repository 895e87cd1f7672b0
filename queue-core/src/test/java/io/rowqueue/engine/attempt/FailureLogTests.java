package io.rowqueue.engine.attempt;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Level;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.control.FailedJobStore.FailedJob;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What is logged about failed attempts. */
class FailureLogTests {

	@AutoClose
	private final Engine engine = new Engine();

	@Test
	void theFirstFailureOfAKindComesWithItsStackTraceAndFurtherOnesWithTheirPlace() {
		try (Log log = Log.ofJobs()) {
			this.engine.process().maxAttempts(3).handle("bills", (payload, context) -> {
				throw new IllegalStateException("no bill");
			}).handle("letters", (payload, context) -> {
				throw new IllegalStateException("no letter");
			}).start();
			long bill = this.engine.enqueue("bills");
			this.engine.awaitState(bill, JobState.FAILED);
			await().until(() -> log.lines(Level.WARN).size() == 3);
			assertThat(log.traces(Level.WARN)).hasSize(2);
			assertThat(log.traces(Level.WARN).get(0))
				.startsWith("Job " + bill + " (bills) failed in attempt 1 of 3, next");
			assertThat(log.traces(Level.WARN).get(1))
				.startsWith("Job " + bill + " (bills) failed permanently in attempt 3");
			assertThat(log.lines(Level.WARN).get(1)).contains("(bills) failed in attempt 2 of 3, next")
				.contains("java.lang.IllegalStateException: no bill (at FailureLogTests.java:");
			this.engine.awaitState(this.engine.enqueue("letters"), JobState.FAILED);
			await().until(() -> log.lines(Level.WARN).size() == 6);
			assertThat(log.traces(Level.WARN)).as("another type").hasSize(4);
		}
	}

	@Test
	void aThousandFailuresTakeAFewLines() {
		try (Log log = Log.ofJobs()) {
			this.engine.process().maxAttempts(1).handle("bills", (payload, context) -> {
				throw new IllegalStateException("no bill " + context.id());
			}).start();
			this.engine.queue().enqueueAll(Collections.nCopies(1000, JobRequest.of("bills")));
			await().until(() -> this.engine.stores()
				.failedJobs()
				.failed(null, null, Instant.parse("2999-01-01T00:00:00Z"), FailedJob.NONE, 2000)
				.size() == 1000);
			// these for each minute
			assertThat(log.traces(Level.ERROR)).hasSizeBetween(1, 5);
			assertThat(log.lines(Level.ERROR)).hasSizeBetween(FailureLog.MAX_LINES, 5 * FailureLog.MAX_LINES);
		}
	}

	@Test
	void whatIsLeftOutIsCountedOnceAMinute() {
		List<Runnable> minutes = new ArrayList<>();
		FailureLog failures = new FailureLog(() -> 0, minutes::add);
		IllegalStateException error = new IllegalStateException("no bill");
		try (Log log = Log.ofJobs()) {
			IntStream.rangeClosed(1, 500).forEach((i) -> failures.failedForGood(TestJobs.job(i), error, 42L));
			failures.failedForGood(TestJobs.job(501), error, 43L);
			assertThat(log.lines(Level.ERROR)).hasSize(FailureLog.MAX_LINES + 1);
			assertThat(log.traces(Level.ERROR)).as("one of each cause").hasSize(2);
			assertThat(minutes).hasSize(1);
			minutes.remove(0).run();
			assertThat(log.lines(Level.ERROR)).hasSize(FailureLog.MAX_LINES + 2)
				.last()
				.asString()
				.startsWith((500 - FailureLog.MAX_LINES) + " more jobs of ")
				.contains("permanently", "Job 500");
			failures.failedForGood(TestJobs.job(502), error, 42L);
			assertThat(log.traces(Level.ERROR)).as("of another minute").hasSize(3);
		}
	}

	@Test
	void failuresOfAnotherMinuteAreCountedAnew() {
		AtomicLong clock = new AtomicLong();
		FailureLog failures = new FailureLog(clock::get, (left) -> {
			throw new AssertionError("nothing is left out");
		});
		try (Log log = Log.ofJobs()) {
			for (int i = 1; i <= 5 * FailureLog.MAX_LINES; i++) {
				failures.failedForGood(TestJobs.job(i), new IllegalStateException("no bill"), 42L);
				clock.addAndGet(Duration.ofSeconds(4).toNanos());
			}
			assertThat(log.lines(Level.ERROR)).hasSize(5 * FailureLog.MAX_LINES);
			assertThat(log.traces(Level.ERROR)).hasSize(7);
		}
	}

	@Test
	void manyKindsOfFailuresAreNotKeptForEver() {
		List<Runnable> minutes = new ArrayList<>();
		FailureLog failures = new FailureLog(() -> 0, minutes::add);
		try (Log log = Log.ofJobs()) {
			for (long group = 1; group <= 1001; group++) {
				failures.failedForGood(TestJobs.job(1), new IllegalStateException("no bill"), group);
				for (int i = 1; group == 1 && i <= 40; i++) {
					failures.failedForGood(TestJobs.job(1), new IllegalStateException("no bill"), group);
				}
			}
			assertThat(log.lines(Level.ERROR)).filteredOn((line) -> line.startsWith("21 more jobs")).hasSize(1);
			minutes.forEach(Runnable::run);
			assertThat(log.lines(Level.ERROR)).as("once").filteredOn((line) -> line.contains("more jobs")).hasSize(1);
		}
	}

	@Test
	void anErrorThatSaysThatTheDatabaseIsAwayComesWithoutAStackTrace() {
		try (Log log = Log.ofJobs()) {
			this.engine.process().maxAttempts(2).handle("bills", (payload, context) -> {
				throw new DataAccessResourceFailureException("the session was ended, says the test");
			}).start();
			this.engine.awaitState(this.engine.enqueue("bills"), JobState.FAILED);
			await().until(() -> log.lines(Level.WARN).size() == 2);
			assertThat(log.traces(Level.WARN)).isEmpty();
			assertThat(log.lines(Level.WARN)).allSatisfy((line) -> assertThat(line).contains("says the test (at"));
		}
	}

	@Test
	void anErrorWithoutFramesIsLoggedAllTheSame() {
		Throwable bare = new IllegalStateException("no frames");
		bare.setStackTrace(new StackTraceElement[0]);
		try (Log log = Log.ofJobs()) {
			FailureLog failures = new FailureLog();
			List.of(1, 2).forEach((i) -> failures.failedForGood(TestJobs.job(i), bare, null));
			assertThat(log.lines(Level.ERROR)).hasSize(2);
		}
	}

}
