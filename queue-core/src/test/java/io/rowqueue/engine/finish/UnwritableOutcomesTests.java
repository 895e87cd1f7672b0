package io.rowqueue.engine.finish;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import io.rowqueue.JobState;
import io.rowqueue.engine.database.StatementTimeouts;
import io.rowqueue.engine.recovery.RecoveryStore;
import io.rowqueue.postgres.Dose;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.TestProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Jobs whose end cannot be written although the database is there. */
class UnwritableOutcomesTests {

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	private static final StatementTimeouts PATIENT = new StatementTimeouts(Engine.LIMIT, Engine.LIMIT, Engine.LIMIT);

	private final AtomicInteger runs = new AtomicInteger();

	private final CountDownLatch release = new CountDownLatch(1);

	@Test
	void aLockedJobDelaysNoOthers() throws Exception {
		this.engine.process().concurrency(4).handle("locked", (payload, context) -> {
			this.runs.incrementAndGet();
			this.release.await();
		}).handle("other", (payload, context) -> {
		}).start();
		long locked = this.engine.enqueue("locked");
		this.engine.awaitState(locked, JobState.RUNNING);
		try (OpenTransaction other = this.engine.lock(locked)) {
			this.release.countDown();
			for (int i = 0; i < 10; i++) { // one after the other, so that each is claimed
				this.engine.awaitState(this.engine.enqueue("other"), JobState.SUCCEEDED);
			}
			assertThat(this.engine.job(locked).state()).isEqualTo(JobState.RUNNING);
			other.rollback();
		}
		this.engine.awaitState(locked, JobState.SUCCEEDED);
		assertThat(this.runs).hasValue(1);
	}

	@Test
	void aLockedTransactionalJobEndsWhenTheLockIsReleased() throws Exception {
		// the end waits for the lock and does not give up meanwhile, which would run the
		// job again
		this.engine.process().concurrency(4).limits(PATIENT).handleInTransaction("locked", (payload, context) -> {
			this.runs.incrementAndGet();
			this.release.await();
		}).handleInTransaction("other", (payload, context) -> {
		}).start();
		long locked = this.engine.enqueue("locked");
		this.engine.awaitState(locked, JobState.RUNNING);
		try (OpenTransaction other = this.engine.lock(locked)) {
			this.release.countDown();
			this.engine.awaitState(this.engine.enqueue("other"), JobState.SUCCEEDED);
			other.rollback();
		}
		this.engine.awaitState(locked, JobState.SUCCEEDED);
		assertThat(this.runs).hasValue(1);
	}

	/**
	 * Such as a trigger of the application, a damaged row, or a statement that takes too
	 * long.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "P0001", "XX001", "57014", "54000", "58030" })
	void anEndThatTheDatabaseRefusesHoldsUpNoOthersAndIsWrittenOnceItCanBe(String errorCode) {
		refuseEndsOf("refused", errorCode);
		try (Log log = Log.ofTheEngine()) {
			this.engine.process().concurrency(2).handle("refused", (payload, context) -> {
				this.runs.incrementAndGet();
			}).handle("other", (payload, context) -> {
			}).start();
			List<Long> refused = IntStream.range(0, 3).mapToObj((i) -> this.engine.enqueue("refused")).toList();
			await().untilAsserted(() -> assertThat(refusals(log)).hasSize(3));
			for (int i = 0; i < 10; i++) {
				this.engine.awaitState(this.engine.enqueue("other"), JobState.SUCCEEDED);
			}
			assertThat(refusals(log)).as("each is logged once, with the remedy")
				.hasSize(3)
				.allSatisfy((line) -> assertThat(line).contains("no ends of this type", "retries until it succeeds",
						"Correct the cause"));
			this.engine.jdbc().execute("drop trigger refused on rowqueue.job_finished");
			refused.forEach((id) -> this.engine.awaitState(id, JobState.SUCCEEDED));
			assertThat(this.runs).hasValue(3);
			await().untilAsserted(
					() -> assertThat(log.lines(Level.INFO)).filteredOn((line) -> line.contains("was stored after"))
						.hasSize(3));
		}
	}

	/**
	 * A disk that is full for large rows only, a limit of memory or of temporary files.
	 */
	@ParameterizedTest
	@MethodSource
	void anEndThatThereIsNoRoomForHoldsUpNoOthersAndIsWrittenOnceThereIs(String errorCode) {
		refuseEndsOf("refused", errorCode);
		try (Log log = Log.ofTheEngine()) {
			this.engine.process().concurrency(40).handle("refused", (payload, context) -> {
				this.runs.incrementAndGet();
			}).handle("other", (payload, context) -> {
			}).start();
			List<Long> refused = IntStream.range(0, 30).mapToObj((i) -> this.engine.enqueue("refused")).toList();
			await().until(() -> this.runs.get() == 30);
			for (int i = 0; i < 10; i++) {
				this.engine.awaitState(this.engine.enqueue("other"), JobState.SUCCEEDED);
			}
			assertThat(log.lines(Level.WARN)).as("a line for each end, and few for all of them").hasSizeLessThan(50);
			assertThat(log.traces(Level.WARN)).hasSizeLessThan(5);
			this.engine.jdbc().execute("drop trigger refused on rowqueue.job_finished");
			refused.forEach((id) -> this.engine.awaitState(id, JobState.SUCCEEDED));
			assertThat(this.runs).hasValue(30);
		}
	}

	static Stream<String> anEndThatThereIsNoRoomForHoldsUpNoOthersAndIsWrittenOnceThereIs() {
		return Stream.of("53100", "53000", "53200", "53400").limit(Dose.of(1, 4));
	}

	@Test
	void aWorkerThatIsStoppedLeavesAnEndThatIsRefusedToThoseThatRecoverJobs() {
		refuseEndsOf("refused", "P0001");
		RecoveryStore others = this.engine.recovery();
		try (Log log = Log.ofTheEngine()) {
			TestProcess process = this.engine.process().handle("refused", (payload, context) -> {
				this.runs.incrementAndGet();
			}).startAndListen();
			long id = this.engine.enqueue("refused");
			await().until(() -> !refusals(log).isEmpty());
			process.stop();
			await("the server has ended its session")
				.until(() -> others.declareDead(Duration.ZERO, Duration.ZERO).size() == 1);
			assertThat(others.recover(3, 10)).singleElement().satisfies((job) -> assertThat(job.id()).isEqualTo(id));
		}
	}

	private static List<String> refusals(Log log) {
		return log.lines(Level.ERROR).stream().filter((line) -> line.contains("refuses to store this")).toList();
	}

	private void refuseEndsOf(String type, String errorCode) {
		this.engine.jdbc().execute("""
				create function refused() returns trigger language plpgsql as $$ begin
					raise exception 'no ends of this type' using errcode = '%s';
				end $$""".formatted(errorCode));
		this.engine.jdbc()
			.execute("create trigger refused before insert on rowqueue.job_finished for each row"
					+ " when (new.type = '%s') execute function refused()".formatted(type));
	}

}
