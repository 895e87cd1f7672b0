package io.rowqueue.engine.recovery;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

import io.rowqueue.HandlerOptions;
import io.rowqueue.Job;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.maintenance.Maintenance;
import io.rowqueue.engine.maintenance.MaintenanceStore;
import io.rowqueue.engine.maintenance.PromoteTask;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.engine.worker.WorkerSession;
import io.rowqueue.engine.worker.WorkerStore;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Stores;
import io.rowqueue.testing.TestProcess;
import io.rowqueue.testing.UnseenRuns;
import io.rowqueue.testing.WorkerIdentities;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@Execution(ExecutionMode.CONCURRENT)
class RecoverTaskTests {

	/** As a claim notes what it leases. */
	private static final String CLAIMED = " returning id, worker_id) insert into rowqueue.claim (worker_id, job_ids)"
			+ " select worker_id, array_agg(id) from job group by worker_id";

	@AutoClose
	private final Engine engine = new Engine();

	private final AtomicLong clock = new AtomicLong();

	private final WorkerStore workers = this.engine.workerStore();

	private final WakeUps wakeUps = new Stores(this.engine.jdbc()).wakeUps();

	private final RecoverTask task = new RecoverTask(this.engine.recovery(), this.wakeUps, RecoveryRules.attempts(3),
			this.clock::get);

	private final List<String> woken = new ArrayList<>();

	@Test
	void recoveryQueuesTheJobsOfADeadProcessAgain() throws SQLException {
		this.wakeUps.listen((arrivals) -> this.woken.addAll(arrivals.queues()));
		long id = this.engine.enqueue(JobRequest.of("test").queue("lost"));
		leaseToAWorkerThatDies();
		makeHeartbeatsOld("10 seconds"); // late, and the session is gone
		this.task.run();
		Job job = this.engine.job(id);
		assertThat(job.state()).isEqualTo(JobState.QUEUED);
		assertThat(job.attempt()).isEqualTo(1);
		assertThat(job.lastError()).matches("worker \\d+ \\(.*\\) died");
		assertThat(this.engine.failures(id)).hasSize(1);
		assertThat(this.woken).containsExactly("lost");
		this.engine.process().handle("test", (payload, context) -> {
		}).start();
		assertThat(this.engine.awaitState(id, JobState.SUCCEEDED).attempt()).isEqualTo(2);
	}

	@Test
	void recoveryFailsAJobWhoseLastAttemptDied() throws SQLException {
		this.wakeUps.listen((arrivals) -> this.woken.addAll(arrivals.queues()));
		long id = this.engine.enqueue(JobRequest.of("test").maxAttempts(1));
		leaseToAWorkerThatDies();
		makeHeartbeatsOld("10 seconds");
		this.task.run();
		assertThat(this.engine.job(id).state()).isEqualTo(JobState.FAILED);
	}

	@Test
	void aJobThatKillsItsWorkerEachTimeFailsAfterTheAttemptsOfItsType() throws InterruptedException {
		long id = this.engine.enqueue("test");
		try (UnseenRuns unseen = UnseenRuns.ofFirstLeases(this.engine)) {
			runInAProcessThatDies();
		}
		makeHeartbeatsOld("10 seconds");
		this.task.run(); // which knows nothing of the type, and tries others 3 times
		assertThat(this.engine.job(id).attempt()).as("it was not seen to run").isZero();
		for (int attempt = 1; attempt <= 2; attempt++) {
			runInAProcessThatDies();
			makeHeartbeatsOld("10 seconds");
			this.task.run();
			assertThat(this.engine.job(id).attempt()).isEqualTo(attempt);
		}
		Job job = this.engine.job(id);
		assertThat(job.state()).isEqualTo(JobState.FAILED);
		assertThat(job.lastError()).matches("worker \\d+ \\(.*\\) died");
		assertThat(this.engine.failures(id)).extracting((failure) -> failure.get("attempt")).containsExactly(1, 2);
	}

	@Test
	void recoveryGivesAProcessTheTimeToComeBack() throws SQLException {
		long id = this.engine.enqueue("test");
		long held;
		do { // again if that took longer than the time
			leaseToAWorkerThatDies();
			makeHeartbeatsOld("500 milliseconds");
			this.task.run();
			held = this.engine.count("job where id = ? and worker_id is not null", id);
		}
		while (this.engine
			.count("worker" + " where heartbeat_at < clock_timestamp() - interval '1500 milliseconds'") > 0);
		assertThat(held).isEqualTo(1);
	}

	@Test
	void aWorkerWithASessionIsNotDeclaredDeadBeforeItsLeaseHasExpired() throws SQLException {
		long worker = this.workers.register(WorkerIdentities.of("slow", List.of("*"), List.of("test")));
		try (WorkerSession session = WorkerSession.open(this.engine.dataSource(), SchemaName.DEFAULT, worker)) {
			makeHeartbeatsOld("20 seconds");
			this.task.run();
			assertThat(this.workers.heartbeat(worker, 0)).as("%s is open", session).isPresent();
			makeHeartbeatsOld("31 seconds");
			this.task.run();
			assertThat(this.workers.heartbeat(worker, 0)).isEmpty();
		}
	}

	@Test
	void recoveryTakesTheJobsOfAnUnknownWorker() {
		this.engine.jdbc()
			.update("with job as (insert into rowqueue.job (run_at, order_at, state, queue, type, worker_id, leased_at, attempt, lease)"
					+ " values (now(), now(), 'running', 'default', 'test', 4711, now(), 1, 1)" + CLAIMED);
		this.task.run();
		assertThat(this.engine.count("job where state = 'queued' and worker_id is null")).isEqualTo(1);
	}

	@Test
	void recoveryTakesJobsThatCouldNotBeTakenWhenTheirWorkerWasDeclaredDead() {
		this.task.run();
		this.engine.jdbc()
			.update("with job as (insert into rowqueue.job (run_at, order_at, state, queue, type, worker_id, leased_at, attempt, lease)"
					+ " values (now(), now(), 'running', 'default', 'test', 4711, now(), 1, 1)" + CLAIMED);
		this.clock.addAndGet(Duration.ofSeconds(9).toNanos());
		this.task.run();
		assertThat(this.engine.jobs(JobState.QUEUED)).isZero();
		this.clock.addAndGet(Duration.ofSeconds(1).toNanos());
		this.task.run();
		assertThat(this.engine.jobs(JobState.QUEUED)).isEqualTo(1);
	}

	@Test
	void recoveryTakesMoreJobsThanOneBatchHolds() {
		this.engine.jdbc()
			.update("with job as (insert into rowqueue.job (run_at, order_at, state, queue, type, worker_id, leased_at, attempt, lease)"
					+ " select now(), now(), 'starting', 'default', 'test', 4711, now(), 1, 1 from generate_series(1, 2500)"
					+ CLAIMED);
		this.task.run();
		assertThat(this.engine.jobs(JobState.QUEUED)).isEqualTo(2500);
	}

	@Test
	void recoveryRunsAutomatically() throws InterruptedException {
		long id = this.engine.enqueue("test");
		runInAProcessThatDies();
		makeHeartbeatsOld("1 hour");
		this.engine.process().withMaintenance().withoutPolling().handle("test", (payload, context) -> {
		}).start();
		this.engine.awaitState(id, JobState.SUCCEEDED);
	}

	@Test
	void recoveryDeclaresNoWorkerDeadRightAfterTheStart() {
		assertThat(readyAfter(Duration.ofSeconds(11))).isFalse();
		assertThat(readyAfter(Duration.ofSeconds(2))).isTrue();
	}

	@Test
	void recoveryChecksEveryTenSecondsAndRightAfterAWorkerIsDeclaredDead() throws SQLException {
		this.task.run();
		assertThat(this.task.insists()).isFalse();
		this.clock.addAndGet(Duration.ofSeconds(10).toNanos());
		assertThat(this.task.insists()).isTrue();
		this.task.run();
		assertThat(this.task.insists()).isFalse();
		this.engine.enqueue("test");
		leaseToAWorkerThatDies();
		makeHeartbeatsOld("10 seconds");
		this.task.run();
		assertThat(this.task.insists()).isTrue();
	}

	@Test
	void recoveryDeclaresNoWorkerDeadRightAfterAnOutage() {
		assertThat(readyAfter(Duration.ofSeconds(20))).isTrue();
		this.task.databaseWasAway();
		assertThat(readyAfter(Duration.ofSeconds(11))).isFalse();
		assertThat(readyAfter(Duration.ofSeconds(2))).isTrue();
	}

	@Test
	void recoveryDoesNotWaitForAPromotionThatTakesLong() throws Exception {
		long id = this.engine.enqueue("test");
		leaseToAWorkerThatDies();
		makeHeartbeatsOld("10 seconds");
		MaintenanceStore store = new MaintenanceStore(this.engine.queueDatabase());
		Maintenance maintenance = new Maintenance(store, new Outage(),
				List.of(new PromoteTask(store, this.wakeUps), this.task), this.wakeUps, Duration.ZERO);
		try (Connection connection = this.engine.dataSource().getConnection();
				Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute("select from rowqueue.maintenance_task where name = 'promote' for update");
			maintenance.start();
			await().until(() -> { // also if the loop wakes late and waits once more
				readyAfter(Duration.ofSeconds(20));
				return this.engine.job(id).state() == JobState.QUEUED;
			});
		}
		maintenance.stop();
	}

	private boolean readyAfter(Duration time) {
		this.clock.addAndGet(time.toNanos());
		return this.task.isReady();
	}

	private void runInAProcessThatDies() throws InterruptedException {
		CountDownLatch running = new CountDownLatch(1);
		TestProcess process = this.engine.process()
			.shutdownTimeout(Duration.ZERO)
			.handle("test", HandlerOptions.NONE.maxAttempts(2), (payload, context) -> {
				running.countDown();
				new CountDownLatch(1).await();
			})
			.startAndListen();
		running.await();
		process.loseDatabase();
		awaitEndOfSessions();
	}

	private void awaitEndOfSessions() {
		await("its session is gone").until(() -> this.engine.number("select count(*) from pg_locks where"
				+ " locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())") == 0);
	}

	private void leaseToAWorkerThatDies() throws SQLException {
		long worker = this.workers.register(WorkerIdentities.of("mortal", List.of("*"), List.of("test")));
		WorkerSession.open(this.engine.dataSource(), SchemaName.DEFAULT, worker).close();
		this.engine.jdbc()
			.update("with job as (update rowqueue.job set state = 'running', worker_id = ?, attempt = 1, lease = 1,"
					+ " leased_at = now()" + CLAIMED, worker);
		awaitEndOfSessions();
	}

	private void makeHeartbeatsOld(String age) {
		this.engine.jdbc().update("update rowqueue.worker set heartbeat_at = now() - ?::interval", age);
	}

}
