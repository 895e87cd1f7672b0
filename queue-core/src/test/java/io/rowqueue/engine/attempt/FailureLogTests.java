package io.rowqueue.engine.attempt;

import java.util.Collections;
import java.util.List;

import ch.qos.logback.classic.Level;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
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
	void aThousandFailuresTakeATraceAndALineForEachOther() {
		try (Log log = Log.ofJobs()) {
			this.engine.process().maxAttempts(1).handle("bills", (payload, context) -> {
				throw new IllegalStateException("no bill " + context.id());
			}).start();
			this.engine.queue().enqueueAll(Collections.nCopies(1000, JobRequest.of("bills")));
			await().until(() -> log.lines(Level.ERROR).size() == 1000);
			// one for each minute
			assertThat(log.traces(Level.ERROR)).hasSizeBetween(1, 5);
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
			List.of(1, 2).forEach((i) -> failures.failedForGood(TestJobs.job(i), bare));
			assertThat(log.lines(Level.ERROR)).hasSize(2);
		}
	}

}
