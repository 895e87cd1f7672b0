package io.rowqueue.engine.worker;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.rowqueue.JobState;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.recovery.RecoveryStore.DeadWorker;
import io.rowqueue.engine.recovery.RecoveryStore.RecoveredJob;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.Async;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.testing.WorkerIdentities;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** How workers are seen to live and found to be dead. */
class WorkerStoreTests {

	private static final Duration LEASE = StoreDatabase.LEASE;

	private static final Duration GRACE = Duration.ofSeconds(5);

	private static final Duration LATE = Duration.ofSeconds(30);

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	@Test
	void eachStartIsANewWorker() {
		WorkerIdentity identity = WorkerIdentities.of("host \u00e4 1", List.of("a,b", "\"c\""), List.of());
		long first = database.workers().register(identity);
		long second = database.workers().register(identity);
		assertThat(second).isNotEqualTo(first);
		assertThat(database.list("select name from {schema}.worker", String.class)).containsOnly("host \u00e4 1")
			.hasSize(2);
		assertThat(database.list("select unnest(queues) from {schema}.worker where id = ?", String.class, first))
			.containsExactly("a,b", "\"c\"");
	}

	@Test
	void anIdIsNotGivenAgainWhenAnOlderStateOfTheDatabaseComesBack() {
		List<Long> before = List.of(database.worker(), database.worker(), database.worker());
		database.execute("truncate {schema}.worker restart identity");
		List<Long> after = List.of(database.worker(), database.worker(), database.worker());
		assertThat(after).doesNotContainAnyElementsOf(before);
		assertThat(after).allMatch((id) -> id > 0 && id <= 1L << 53, "is a number in JSON as well");
	}

	@Test
	void aWorkerIsRefusedByADatabaseInAnOlderStateThanHasAnsweredIt() {
		long worker = database.worker();
		long answered = database.workers().heartbeat(worker, 0).orElseThrow().number();
		database.workers().heartbeat(worker, answered);
		assertThat(database.workers().heartbeat(worker, answered)).as("an answer was lost").isPresent();
		database.update("update {schema}.worker set heartbeats = ? where id = ?", answered - 1, worker);
		assertThat(database.workers().heartbeat(worker, answered)).isEmpty();
	}

	@Test
	void aProcessThatWasStartedAgainKeepsNothingOfTheOneBeforeAlive() {
		WorkerIdentity identity = WorkerIdentities.of("host 1", List.of("default"), List.of("type"));
		long before = database.workers().register(identity);
		Lease lease = database.lease(before, "type");
		database.silence(before, LEASE.plusSeconds(1));
		long after = database.workers().register(identity);
		assertThat(database.workers().heartbeat(after, 0)).isPresent();
		assertThat(declareDead()).extracting(DeadWorker::id).containsExactly(before);
		assertThat(database.recovery().recover(2, 10)).extracting(RecoveredJob::id).containsExactly(lease.jobId());
		assertThat(database.workers().heartbeat(after, 0)).isPresent();
	}

	@Test
	void aHeartbeatKeepsAWorkerAlive() {
		long worker = database.worker();
		database.silence(worker, LEASE.plusSeconds(1));
		assertThat(database.workers().heartbeat(worker, 0)).isPresent();
		assertThat(declareDead()).isEmpty();
	}

	@Test
	void aWorkerIsDeclaredDeadWhenItsHeartbeatIsOlderThanTheLease() {
		long dead = database.worker();
		long alive = database.worker();
		database.silence(dead, LEASE.plusSeconds(40));
		database.silence(alive, LEASE.minusSeconds(30));
		assertThat(declareDead()).singleElement().satisfies((declared) -> {
			assertThat(declared.id()).isEqualTo(dead);
			assertThat(declared.name()).isEqualTo("test");
			assertThat(declared.silence()).isBetween(LEASE.plusSeconds(40), LEASE.plusMinutes(10));
		});
		assertThat(declareDead()).isEmpty();
	}

	/** Such as by an administrator who forgot to commit. */
	@Test
	void aWorkerWhoseRowIsLockedDelaysNoOther() throws Exception {
		long locked = database.worker();
		long dead = database.worker();
		database.silence(locked, LEASE.plusSeconds(1));
		database.silence(dead, LEASE.plusSeconds(1));
		try (OpenTransaction other = database.begin()) {
			other.execute("select from {schema}.worker where id = %d for update".formatted(locked));
			assertThat(Async.supply(WorkerStoreTests::declareDead)).succeedsWithin(Engine.PATIENCE)
				.satisfies((declared) -> assertThat(declared).extracting(DeadWorker::id).containsExactly(dead));
		}
		assertThat(declareDead()).extracting(DeadWorker::id).containsExactly(locked);
	}

	@Test
	void aWorkerIsJudgedByItsOwnLeaseWhateverThatOfOthersIs() {
		WorkerIdentity identity = WorkerIdentities.of("host 1", List.of(), List.of());
		long patient = database.workers().register(WorkerIdentities.withLease(identity, Duration.ofMinutes(5)));
		long hasty = database.workers().register(WorkerIdentities.withLease(identity, Duration.ofSeconds(10)));
		database.silence(patient, Duration.ofMinutes(2));
		database.silence(hasty, Duration.ofSeconds(20));
		assertThat(declareDead()).extracting(DeadWorker::id).containsExactly(hasty);
		database.silence(patient, Duration.ofMinutes(6));
		assertThat(declareDead()).extracting(DeadWorker::id).containsExactly(patient);
	}

	@Test
	void aWorkerThatWasDeclaredDeadCannotComeBack() {
		long worker = database.worker();
		database.silence(worker, LEASE.plusSeconds(1));
		declareDead();
		assertThat(database.workers().heartbeat(worker, 0)).isEmpty();
		assertThat(declareDead()).isEmpty();
	}

	@Test
	void anIdleWorkerIsMissedAfterItsIntervalOnly() throws Exception {
		Duration interval = Duration.ofMinutes(5);
		long worker = database.worker();
		WorkerSession.open(database.direct(), SchemaName.DEFAULT, worker).close();
		await().until(() -> advisoryLocks() == 0);
		database.workers().heartbeat(worker, 0, interval);
		database.silence(worker, interval.minus(GRACE));
		assertThat(declareDead()).isEmpty();
		database.silence(worker, interval.plus(LATE));
		assertThat(declareDead()).extracting(DeadWorker::id).containsExactly(worker);
	}

	@Test
	void anUnknownWorkerHasNoHeartbeat() {
		assertThat(database.workers().heartbeat(42, 0)).isEmpty();
	}

	@Test
	void aLateWorkerIsDeclaredDeadAsSoonAsItsSessionHasEnded() throws Exception {
		long worker = database.worker();
		try (WorkerSession session = WorkerSession.open(database.direct(), SchemaName.DEFAULT, worker)) {
			database.silence(worker, LATE);
			assertThat(declareDead()).isEmpty();
			assertThat(session).isNotNull();
		}
		// the server notices a moment later
		await().untilAsserted(() -> assertThat(declareDead()).extracting(DeadWorker::id).containsExactly(worker));
	}

	@Test
	void aServerThatHasJustStartedProvesNothing() throws Exception {
		long worker = database.worker();
		WorkerSession.open(database.direct(), SchemaName.DEFAULT, worker).close();
		await().until(() -> advisoryLocks() == 0);
		database.silence(worker, LATE);
		Duration longerThanItRuns = Duration.ofDays(10_000);
		assertThat(database.recovery().declareDead(GRACE, longerThanItRuns)).isEmpty();
		assertThat(declareDead()).extracting(DeadWorker::id).containsExactly(worker);
	}

	@Test
	void aPunctualWorkerWithoutItsSessionLives() throws Exception {
		long worker = database.worker();
		WorkerSession.open(database.direct(), SchemaName.DEFAULT, worker).close();
		await().until(() -> advisoryLocks() == 0);
		database.workers().heartbeat(worker, 0);
		assertThat(declareDead()).isEmpty();
	}

	@Test
	void aLateWorkerThatNeverHadASessionLives() {
		long worker = database.worker();
		database.silence(worker, LATE);
		assertThat(declareDead()).isEmpty();
	}

	@Test
	void theSessionDoesNotKeepAWorkerBeyondItsLease() throws Exception {
		long worker = database.worker();
		try (WorkerSession session = WorkerSession.open(database.direct(), SchemaName.DEFAULT, worker)) {
			database.silence(worker, LEASE.plusSeconds(1));
			assertThat(declareDead()).extracting(DeadWorker::id).containsExactly(worker);
			assertThat(session).isNotNull();
		}
	}

	@Test
	void aSessionWithoutTheLockIsNoSignOfDeath() throws Exception {
		long worker = database.worker();
		try (Connection connection = database.direct().getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute("select pg_advisory_lock(%d, %d)".formatted(WorkerStore.lockSpace(SchemaName.DEFAULT),
					(int) worker));
			try (WorkerSession session = WorkerSession.open(database.direct(), SchemaName.DEFAULT, worker)) {
				database.silence(worker, LATE);
				statement.execute("select pg_advisory_unlock_all()");
				assertThat(declareDead()).isEmpty();
				assertThat(session).isNotNull();
			}
		}
	}

	@Test
	void workersWithIdsThatFillTheirLockHaveSessionsToo() throws Exception {
		long worker = (3L << 32) + 0xFFFF_FFFFL;
		database.worker();
		database.update("insert into {schema}.worker (id, name, queues, types, lease)"
				+ " values (?, 'test', '{}', '{}', '1 minute')", worker);
		try (WorkerSession session = WorkerSession.open(database.direct(), SchemaName.DEFAULT, worker)) {
			database.silence(worker, LATE);
			assertThat(declareDead()).isEmpty();
			assertThat(session).isNotNull();
		}
		await().untilAsserted(() -> assertThat(declareDead()).extracting(DeadWorker::id).containsExactly(worker));
	}

	@Test
	void aHeartbeatFromBeforeTheClockWentBackCountsAsOneOfNow() {
		long dead = database.worker();
		long alive = database.worker();
		database.update("update {schema}.worker set heartbeat_at = now() + interval '1 hour'");
		assertThat(declareDead()).as("neither has had the time to be heard of").isEmpty();
		assertThat(database.query("select max(heartbeat_at) <= clock_timestamp() from {schema}.worker", Boolean.class))
			.isTrue();
		database.update("update {schema}.worker set heartbeat_at = heartbeat_at - interval '61 seconds'");
		database.workers().heartbeat(alive, 0);
		assertThat(declareDead()).extracting(DeadWorker::id).containsExactly(dead);
	}

	@Test
	void aWorkerThatLeavesIsGone() {
		long worker = database.worker();
		assertThat(database.workers().unregister(worker)).isTrue();
		assertThat(database.count("worker")).isZero();
		assertThat(database.workers().heartbeat(worker, 0)).isEmpty();
	}

	/** It was declared dead while it stopped, and does not know it. */
	@Test
	void theJobsOfAWorkerThatLeavesBeforeTheyAreRecoveredHaveTheAttemptsOfTheirType() {
		WorkerIdentity identity = WorkerIdentities.of("test", List.of("default"), List.of("once", "often"),
				Map.of("once", 1, "often", 5), Map.of(), Map.of());
		long worker = database.workers().register(identity);
		Lease once = database.lease(worker, "once");
		Lease often = database.lease(worker, "often");
		database.jobs().leases().running(worker, List.of(once, often));
		database.update("update {schema}.job set attempt = 3 where id = ?", often.jobId());
		database.kill(worker);
		assertThat(database.workers().unregister(worker)).isFalse();
		database.recovery().recover(3, 10);
		assertThat(database.state(once.jobId())).isEqualTo(JobState.FAILED);
		assertThat(database.state(often.jobId())).isEqualTo(JobState.QUEUED);
		assertThat(database.workers().unregister(worker)).isTrue();
	}

	@Test
	void aWorkerThatDiedADayAgoIsForgotten() {
		long living = database.worker();
		long dead = database.worker();
		long old = database.worker();
		database.kill(dead);
		database.update("update {schema}.worker set dead_at = now() - interval '25 hours' where id = ?", old);
		assertThat(database.recovery().forget()).isEqualTo(1);
		assertThat(database.list("select id from {schema}.worker", Long.class)).containsExactlyInAnyOrder(living, dead);
	}

	@Test
	void aWorkerIsNotForgottenWhileItHoldsJobs() {
		long worker = database.worker();
		database.lease(worker, "type");
		database.update("update {schema}.worker set dead_at = now() - interval '25 hours' where id = ?", worker);
		assertThat(database.recovery().forget()).isZero();
		database.recovery().recover(5, 10);
		assertThat(database.recovery().forget()).isEqualTo(1);
	}

	private static List<DeadWorker> declareDead() {
		return database.recovery().declareDead(GRACE, Duration.ZERO);
	}

	private static int advisoryLocks() {
		return database.query("select count(*) from pg_locks where locktype = 'advisory' and database ="
				+ " (select oid from pg_database where datname = current_database())", Integer.class);
	}

}
