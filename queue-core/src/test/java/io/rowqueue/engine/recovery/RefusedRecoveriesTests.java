package io.rowqueue.engine.recovery;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import ch.qos.logback.classic.Level;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.maintenance.MaintenanceStore;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.flow.WhenFailed;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Log;
import io.rowqueue.testing.Stores;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Jobs of dead workers that cannot be recovered although the database is there. */
class RefusedRecoveriesTests {

	private static final Duration PAUSE = Duration.ofSeconds(10);

	@AutoClose
	private final Engine engine = Engine.withOwnDatabase();

	@AutoClose
	private final Log log = Log.ofJobs();

	private final AtomicLong clock = new AtomicLong();

	private final WakeUps wakeUps = new Stores(this.engine.jdbc()).wakeUps();

	private final RecoverTask task = new RecoverTask(this.engine.recovery(), this.wakeUps, RecoveryRules.attempts(3),
			this.clock::get);

	/** A trigger of the application, a damaged row, a slow statement, a full disk. */
	@ParameterizedTest
	@ValueSource(strings = { "P0001", "XX001", "57014", "53100", "53200", "54000" })
	void aJobWhoseRecoveryIsRefusedHoldsUpNoOthersAndIsRecoveredOnceItCanBe(String errorCode) {
		List<String> woken = new ArrayList<>();
		this.wakeUps.listen((arrivals) -> woken.addAll(arrivals.queues()));
		long refused = leased("refused", 1);
		List<Long> others = List.of(leased("other", 1), leased("other", 1), leased("other", 2));
		refuseRecoveryOf("refused", errorCode);
		this.task.run();
		assertThat(others).allMatch(this::isQueued);
		assertThat(woken).containsOnly("default");
		assertThat(isQueued(refused)).isFalse();
		runAfterThePause();
		runAfterThePause();
		assertThat(this.log.lines(Level.ERROR)).as("it is logged once")
			.singleElement()
			.satisfies((line) -> assertThat(line).contains("job " + refused + " of", "no recovery of this type",
					"Correct what refuses it"));
		this.engine.jdbc().execute("drop trigger refused on rowqueue.job");
		this.clock.addAndGet(PAUSE.toNanos() - 1);
		this.task.run();
		assertThat(isQueued(refused)).as("before the pause has ended").isFalse();
		this.clock.incrementAndGet();
		assertThat(this.task.insists()).isTrue();
		this.task.run();
		assertThat(isQueued(refused)).isTrue();
		assertThat(this.log.lines(Level.INFO))
			.anyMatch((line) -> line.startsWith("Job " + refused + " was recovered after"));
	}

	@Test
	void aJobWithALockedSuccessorHoldsUpNoOthersAndIsLoggedIfThatLasts() throws Exception {
		long last = this.engine.enqueue(JobRequest.of("last").maxAttempts(1));
		long successor = this.engine.enqueue(JobRequest.of("successor").after(last).whenFailed(WhenFailed.RUN));
		new MaintenanceStore(this.engine.queueDatabase()).settleDependencies(10);
		lease(last, 1);
		long other = leased("other", 2);
		try (Connection locking = this.engine.dataSource().getConnection();
				Statement statement = locking.createStatement()) {
			locking.setAutoCommit(false);
			statement.execute("select from rowqueue.job where id = " + successor + " for update");
			this.task.run();
			assertThat(isQueued(other)).isTrue();
			assertThat(this.log.lines(Level.WARN)).noneMatch((line) -> line.contains("has locked a row"));
			runAfterThePause();
			runAfterThePause();
			assertThat(this.log.lines(Level.WARN)).filteredOn((line) -> line.contains("has locked a row"))
				.singleElement()
				.asString()
				.contains("job " + last + " of");
			locking.rollback();
		}
		runAfterThePause();
		assertThat(this.engine.job(last).state()).isEqualTo(JobState.FAILED);
		assertThat(isQueued(successor)).isTrue();
	}

	@Test
	void manyJobsThatThereIsNoRoomForHideNoOthers() {
		for (int i = 0; i < 25; i++) {
			leased("refused", 1);
		}
		long other = leased("other", 1);
		refuseRecoveryOf("refused", "53100");
		this.task.run();
		assertThat(isQueued(other)).as("it does not look for long").isFalse();
		runAfterThePause();
		runAfterThePause();
		assertThat(isQueued(other)).isTrue();
		assertThat(this.log.traces(Level.ERROR)).hasSize(1);
		assertThat(this.log.lines(Level.ERROR)).filteredOn((line) -> line.contains("no recovery of this type"))
			.hasSizeLessThanOrEqualTo(3);
	}

	private void runAfterThePause() {
		this.clock.addAndGet(PAUSE.toNanos());
		this.task.run();
	}

	private boolean isQueued(long id) {
		return this.engine.job(id).state() == JobState.QUEUED;
	}

	/** A job that an unknown worker has begun. */
	private long leased(String type, long worker) {
		long id = this.engine.enqueue(type);
		lease(id, worker);
		return id;
	}

	private void lease(long id, long worker) {
		this.engine.jdbc()
			.update("with leased as (update rowqueue.job set state = 'running', worker_id = ?, attempt = 1, lease = 1,"
					+ " leased_at = now() where id = ? returning id, worker_id)"
					+ " insert into rowqueue.claim (worker_id, job_ids) select worker_id, array[id] from leased",
					worker, id);
	}

	private void refuseRecoveryOf(String type, String errorCode) {
		this.engine.jdbc().execute("""
				create function refused() returns trigger language plpgsql as $$ begin
					raise exception 'no recovery of this type' using errcode = '%s';
				end $$""".formatted(errorCode));
		this.engine.jdbc()
			.execute("create trigger refused before update on rowqueue.job for each row"
					+ " when (new.type = '%s' and new.worker_id is null) execute function refused()".formatted(type));
	}

}
