package io.rowqueue.engine.explain;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.JobRequest;
import io.rowqueue.admin.Explanation;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.Verdict;
import io.rowqueue.engine.admin.DefaultJobAdmin;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.lease.Claim;
import io.rowqueue.engine.lease.Failure;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.lease.Snooze;
import io.rowqueue.limit.Limit;
import io.rowqueue.limit.LimitKind;
import io.rowqueue.masking.TextMasker;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.testing.WorkerIdentities;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Why is this job not running? Every cause has an explanation of its own. */
class ExplainTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase();

	private final JobAdmin admin = admin(database.jdbc());

	@Test
	void thereIsNoSuchJob() {
		assertThat(explain(4711).verdict()).isEqualTo(Verdict.UNKNOWN);
		assertThat(explain(4711).summary()).contains("4711", "rolled back");
	}

	@Test
	void nothingIsInItsWay() {
		worker(10);
		long id = database.enqueue(JobRequest.of("type"));
		Explanation explanation = explain(id);
		assertThat(explanation.verdict()).isEqualTo(Verdict.CLAIMABLE);
		assertThat(explanation.then()).isEmpty();
		assertThat(explanation.facts()).containsEntry("state", "queued").containsEntry("type", "type");
	}

	@Test
	void itSucceeded() {
		Lease lease = database.lease(worker(10), "type");
		database.jobs().succeed(lastWorker(), List.of(lease));
		assertThat(explain(lease.jobId()).verdict()).isEqualTo(Verdict.SUCCEEDED);
	}

	@Test
	void itWasCancelled() {
		long id = database.enqueue(JobRequest.of("type"));
		this.admin.cancel(id);
		assertThat(explain(id).verdict()).isEqualTo(Verdict.CANCELLED);
	}

	@Test
	void itFailedPermanently() {
		Lease lease = database.lease(worker(10), "type");
		database.jobs()
			.outcomes()
			.fail(lastWorker(), List.of(new Failure(lease, "java.io.IOException: gone\n\tat x", null)));
		Explanation explanation = explain(lease.jobId());
		assertThat(explanation.verdict()).isEqualTo(Verdict.FAILED);
		assertThat(explanation.summary()).contains("attempt 1: java.io.IOException: gone.").doesNotContain("at x");
	}

	@Test
	void itIsNotDue() {
		worker(10);
		long id = database.enqueue(JobRequest.of("type").delay(Duration.ofHours(3)));
		Explanation explanation = explain(id);
		assertThat(explanation.verdict()).isEqualTo(Verdict.NOT_DUE);
		assertThat(explanation.facts()).containsKeys("runAt", "databaseTime");
	}

	@Test
	void itWaitsForItsRetry() {
		Lease lease = database.lease(worker(10), "type");
		database.jobs().outcomes().fail(lastWorker(), List.of(new Failure(lease, "no", Duration.ofMinutes(10))));
		Explanation explanation = explain(lease.jobId());
		assertThat(explanation.verdict()).isEqualTo(Verdict.RETRY_LATER);
		assertThat(explanation.facts()).containsEntry("lastError", "no").containsEntry("attempt", 1);
	}

	@Test
	void itWasSnoozedAndDidNotFail() {
		Lease lease = database.lease(worker(10), "type");
		database.jobs().outcomes().snooze(lastWorker(), List.of(new Snooze(lease, Duration.ofMinutes(10), null)));
		assertThat(explain(lease.jobId()).verdict()).isEqualTo(Verdict.NOT_DUE);
	}

	@Test
	void dueJobsAreNotPromoted() {
		worker(10);
		long id = database.enqueue(JobRequest.of("type").delay(Duration.ofHours(3)));
		database.update("update {schema}.job set run_at = clock_timestamp() - interval '1 minute' where id = ?", id);
		Explanation explanation = explain(id);
		assertThat(explanation.verdict()).isEqualTo(Verdict.NOT_PROMOTED);
		assertThat(explanation.facts()).containsKey("maintenanceLate");
		database.maintenance().promoteAll(10);
		assertThat(explain(id).verdict()).isEqualTo(Verdict.CLAIMABLE);
	}

	@Test
	void itsQueueIsPaused() {
		worker(10);
		long id = database.enqueue(JobRequest.of("type").queue("default"));
		this.admin.pauseQueue("default", "the mail server moves");
		Explanation explanation = explain(id);
		assertThat(explanation.verdict()).isEqualTo(Verdict.QUEUE_PAUSED);
		assertThat(explanation.summary()).contains("'default'", "the mail server moves");
		assertThat(explanation.facts()).containsKey("pausedAt");
	}

	@Test
	void theClassOfItsQueueIsPaused() {
		worker(10);
		long id = database.enqueue(JobRequest.of("type").queue("closing:ledger"));
		this.admin.pauseQueue("closing:*", "the day is over");
		for (Explanation explanation : List.of(explain(id),
				this.admin.explainAll(List.of(id), TextMasker.NONE).get(id))) {
			assertThat(explanation.verdict()).isEqualTo(Verdict.QUEUE_PAUSED);
			assertThat(explanation.summary())
				.startsWith("The class of queues 'closing:*' is paused: the day is over. Resume it");
		}
	}

	@Test
	void itsTypeIsPaused() {
		worker(10);
		long id = database.enqueue(JobRequest.of("type"));
		this.admin.pauseType("type", null);
		assertThat(explain(id).verdict()).isEqualTo(Verdict.TYPE_PAUSED);
	}

	@Test
	void whatPreventsItAfterwardsIsExplainedAsWell() {
		long id = database.enqueue(JobRequest.of("type").delay(Duration.ofHours(1)));
		this.admin.pauseQueue("default", null);
		this.admin.pauseType("type", null);
		Explanation explanation = explain(id);
		assertThat(explanation.verdict()).isEqualTo(Verdict.NOT_DUE);
		assertThat(explanation.then()).containsExactly(Verdict.QUEUE_PAUSED, Verdict.TYPE_PAUSED, Verdict.NO_WORKER);
	}

	@Test
	void noWorkerLives() {
		long id = database.enqueue(JobRequest.of("type"));
		assertThat(explain(id).verdict()).isEqualTo(Verdict.NO_WORKER);
		database.kill(worker(10));
		assertThat(explain(id).verdict()).as("a dead one is none").isEqualTo(Verdict.NO_WORKER);
		database.silence(worker(10), Duration.ofMinutes(1));
		assertThat(explain(id).verdict()).as("no process is left to declare it dead").isEqualTo(Verdict.NO_WORKER);
	}

	@Test
	void noWorkerHasAHandlerForItsType() {
		worker(10);
		long id = database.enqueue(JobRequest.of("renamed"));
		Explanation explanation = explain(id);
		assertThat(explanation.verdict()).isEqualTo(Verdict.NO_WORKER_FOR_TYPE);
		assertThat(explanation.summary()).contains("'renamed'");
		assertThat(explanation.facts()).containsEntry("liveWorkers", 1).containsEntry("workersOfType", 0);
	}

	@Test
	void noWorkerWorksForItsQueue() {
		register(Map.of("mail", 4), Map.of());
		long id = database.enqueue(JobRequest.of("type"));
		assertThat(explain(id).verdict()).isEqualTo(Verdict.NO_WORKER_FOR_QUEUE);
		assertThat(explain(database.enqueue(JobRequest.of("type").queue("mail"))).verdict())
			.isEqualTo(Verdict.CLAIMABLE);
	}

	@Test
	void aTransactionHasLockedIt() throws Exception {
		worker(10);
		long id = database.enqueue(JobRequest.of("type"));
		try (Connection connection = database.direct().getConnection();
				Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute("set application_name = 'a forgotten psql'");
			statement.execute("select from rowqueue.job where id = " + id + " for update");
			Explanation explanation = explain(id);
			assertThat(explanation.verdict()).isEqualTo(Verdict.LOCKED);
			assertThat(explanation.summary()).contains("a forgotten psql");
			assertThat(explanation.facts()).containsKeys("lockedByProcess", "lockedSince");
			connection.rollback();
		}
		assertThat(explain(id).verdict()).isEqualTo(Verdict.CLAIMABLE);
	}

	/** Whoever makes due jobs claimable skips it as well. */
	@Test
	void aTransactionHasLockedItSinceBeforeItWasDue() throws Exception {
		worker(10);
		long id = database.enqueue(JobRequest.of("type").delay(Duration.ofHours(3)));
		database.update("update {schema}.job set run_at = clock_timestamp() - interval '1 minute' where id = ?", id);
		try (OpenTransaction other = database.begin()) {
			other.execute("select from {schema}.job where id = " + id + " for update");
			Explanation explanation = explain(id);
			assertThat(explanation.verdict()).isEqualTo(Verdict.LOCKED);
			assertThat(explanation.then()).isEmpty();
		}
		assertThat(explain(id).verdict()).isEqualTo(Verdict.NOT_PROMOTED);
	}

	@Test
	void itsKeyIsHeldForSomeTime() {
		register(Map.of("*", 10), Map.of());
		database.jobs().limits().set(LimitKind.KEY, "customer", Limit.concurrency(2), true);
		database.jobs().holds().hold(LimitKind.KEY, "customer:42", Duration.ofHours(1), "they are down");
		database.jobs().holds().hold(LimitKind.KEY, "customer:7", Duration.ofHours(2), null);
		long id = database.enqueue(JobRequest.of("type").limitKey("customer:42"));
		database.jobs().admission().admitDue();
		Explanation explanation = explain(id);
		assertThat(explanation.verdict()).isEqualTo(Verdict.HELD);
		assertThat(explanation.summary()).contains("they are down");
		assertThat(explanation.facts()).containsKey("heldUntil");
		Explanation listed = this.admin.explainAll(List.of(id), TextMasker.NONE).get(id);
		assertThat(listed.summary()).contains("they are down");
	}

	@Test
	void itsKeyHasReachedItsLimitAndIsHeldByOthers() {
		long worker = register(Map.of("*", 10), Map.of());
		long first = database.enqueue(JobRequest.of("type").limitKey("customer:42"));
		long id = database.enqueue(JobRequest.of("type").limitKey("customer:42"));
		database.jobs().admission().admitDue();
		database.claimOne(worker);
		Explanation explanation = explain(id);
		assertThat(explanation.verdict()).isEqualTo(Verdict.LIMIT_REACHED);
		assertThat(explanation.summary())
			.isEqualTo("The limit of customer:42, 1 at once in the cluster, is held by job " + first + ".");
		assertThat(explanation.facts()).containsEntry("heldBy", List.of(first));
		database.update("update {schema}.job set run_at = run_at - interval '1 hour' where id = ?", id);
		assertThat(explain(id)).as("it has waited for long").isEqualTo(explanation(explanation, id));
	}

	/** Such as one of an ordered key whose queue is paused. */
	@Test
	void itsKeyIsHeldByAJobThatWaitsForAWorkerItself() {
		register(Map.of("*", 10), Map.of());
		database.jobs().limits().set(LimitKind.KEY, "account", Limit.concurrency(1).ordered(true), true);
		database.execute("insert into {schema}.pause (kind, name) values ('queue', 'paused')");
		long first = database.enqueue(JobRequest.of("type").queue("paused").limitKey("account:7"));
		long id = database.enqueue(JobRequest.of("type").limitKey("account:7"));
		database.jobs().admission().admitDue();
		Explanation explanation = explain(id);
		assertThat(explanation.verdict()).isEqualTo(Verdict.LIMIT_REACHED);
		assertThat(explanation.summary()).contains("Not claimed yet: job " + first + "; see its explanation.");
		assertThat(explain(first).verdict()).isEqualTo(Verdict.QUEUE_PAUSED);
	}

	/** The same of a job that was due an hour before. */
	private static Explanation explanation(Explanation before, long id) {
		Map<String, Object> facts = new LinkedHashMap<>(before.facts());
		facts.put("runAt", database.find(id).runAt());
		return new Explanation(id, before.verdict(), before.summary(), facts, before.then());
	}

	@ParameterizedTest
	@CsvSource({ "default, default", "closing:*, closing:ledger" })
	void itsQueueHasReachedItsLimitOrItsRate(String limited, String queue) {
		long worker = register(Map.of("*", 10), Map.of());
		database.jobs().limits().set(LimitKind.QUEUE, limited, Limit.concurrency(1), true);
		database.enqueue(JobRequest.of("type").queue(queue));
		long id = database.enqueue(JobRequest.of("type").queue(queue));
		Claim claim = new Claim(worker, Map.of(StoreDatabase.POOL, 10),
				database.jobs()
					.sweep()
					.heads()
					.stream()
					.map((head) -> new PoolLane(StoreDatabase.POOL, head))
					.toList());
		database.jobs().claimLimited(claim);
		assertThat(explain(id).verdict()).isEqualTo(Verdict.LIMIT_REACHED);
		assertThat(this.admin.explainAll(List.of(id), TextMasker.NONE).get(id).summary())
			.contains("'" + limited + "', 1 at once in the cluster");
		database.jobs().limits().set(LimitKind.QUEUE, limited, Limit.perPeriod(1, Duration.ofHours(1)).burst(1), true);
		database.enqueue(JobRequest.of("type").queue(queue));
		database.jobs().claimLimited(claim);
		Explanation explanation = explain(database.enqueue(JobRequest.of("type").queue(queue)));
		assertThat(explanation.verdict()).isEqualTo(Verdict.RATE_REACHED);
		assertThat((Duration) explanation.facts().get("nextStartIn")).isBetween(Duration.ofMinutes(55),
				Duration.ofHours(1));
	}

	@Test
	void itsTypeHasReachedItsLimit() {
		long worker = register(Map.of("*", 10), Map.of("type", 2));
		database.lease(worker, "type");
		database.lease(worker, "type");
		long id = database.enqueue(JobRequest.of("type"));
		Explanation explanation = explain(id);
		assertThat(explanation.verdict()).isEqualTo(Verdict.TYPE_LIMIT_REACHED);
		assertThat(candidate(explanation)).containsEntry("workerId", worker)
			.containsEntry("typeLimit", 2)
			.containsEntry("heldOfType", 2);
	}

	@Test
	void allSlotsAreTaken() {
		long worker = worker(1);
		database.lease(worker, "type");
		long id = database.enqueue(JobRequest.of("type"));
		Explanation explanation = explain(id);
		assertThat(explanation.verdict()).isEqualTo(Verdict.WORKERS_FULL);
		assertThat(candidate(explanation)).containsEntry("slots", 1).containsEntry("held", 1);
		worker(1);
		assertThat(explain(id).verdict()).as("another one is free").isEqualTo(Verdict.CLAIMABLE);
	}

	@Test
	void slotsOfItsQueueCountAndNotThoseOfOthers() {
		long worker = register(Map.of("*", 1, "mail", 1), Map.of());
		database.lease(worker, "type");
		assertThat(explain(database.enqueue(JobRequest.of("type"))).verdict()).isEqualTo(Verdict.WORKERS_FULL);
		assertThat(explain(database.enqueue(JobRequest.of("type").queue("mail"))).verdict())
			.isEqualTo(Verdict.CLAIMABLE);
	}

	@Test
	void othersOfItsQueueGoFirst() {
		worker(10);
		database.enqueue(JobRequest.of("other").priority(7));
		database.enqueue(JobRequest.of("type").priority(7));
		database.enqueue(JobRequest.of("type").queue("mail").priority(7));
		database.enqueue(JobRequest.of("type").priority(-7));
		database.enqueue(JobRequest.of("type"));
		long id = database.enqueue(JobRequest.of("type"));
		database.enqueue(JobRequest.of("type"));
		Explanation explanation = explain(id);
		assertThat(explanation.verdict()).isEqualTo(Verdict.BEHIND_OTHERS);
		assertThat(explanation.facts()).as("one of a higher priority, one that is older; no worker runs 'other'")
			.containsEntry("ahead", 2L);
	}

	/** Claims leave these out until the limit of their type has room. */
	@Test
	void jobsOfATypeThatHasReachedItsLimitDoNotGoFirst() {
		long worker = database.workers()
			.register(WorkerIdentities.of("test", Set.of("*"), List.of("type", "slow"), Map.of(), Map.of("*", 10),
					Map.of()));
		database.jobs().limits().set(LimitKind.TYPE, "slow", Limit.concurrency(1), true);
		List<Long> slow = database.enqueue(JobRequest.of("slow").priority(7), JobRequest.of("slow").priority(7),
				JobRequest.of("slow").priority(7));
		long id = database.enqueue(JobRequest.of("type"));
		assertThat(explain(id).facts()).containsEntry("ahead", 3L);
		database.jobs()
			.claimLimited(new Claim(worker, Map.of(StoreDatabase.POOL, 10),
					database.jobs()
						.sweep()
						.heads()
						.stream()
						.filter((head) -> head.lane().type().equals("slow"))
						.map((head) -> new PoolLane(StoreDatabase.POOL, head))
						.toList()));
		assertThat(explain(id).verdict()).isEqualTo(Verdict.CLAIMABLE);
		assertThat(explain(slow.get(2)).verdict()).isEqualTo(Verdict.LIMIT_REACHED);
	}

	@Test
	void theRateOfAKeyTakesPrecedenceOverThatOfItsClass() {
		register(Map.of("*", 10), Map.of());
		database.jobs().limits().set(LimitKind.KEY, "customer", Limit.perPeriod(1, Duration.ofHours(1)).burst(1), true);
		database.jobs()
			.limits()
			.set(LimitKind.KEY, "customer:42", Limit.perPeriod(1, Duration.ofMinutes(1)).burst(1), true);
		database.enqueue(JobRequest.of("type").limitKey("customer:42"));
		database.enqueue(JobRequest.of("type").limitKey("customer:42"));
		long id = database.enqueue(JobRequest.of("type").limitKey("customer:42"));
		database.jobs().admission().admitDue();
		assertThat(explain(id).summary()).contains("rate");
		assertThat((Duration) explain(id).facts().get("nextStartIn")).isLessThanOrEqualTo(Duration.ofMinutes(1));
	}

	@Test
	void aWorkerIsAboutToRunIt() {
		Lease lease = database.lease(worker(10), "type");
		Explanation explanation = explain(lease.jobId());
		assertThat(explanation.verdict()).isEqualTo(Verdict.STARTING);
		assertThat(explanation.facts()).containsEntry("workerId", lastWorker()).containsEntry("worker", "test");
	}

	@Test
	void itRuns() {
		Lease lease = database.lease(worker(10), "type");
		database.jobs().leases().running(lastWorker(), List.of(lease));
		assertThat(explain(lease.jobId()).verdict()).isEqualTo(Verdict.RUNNING);
		this.admin.cancel(lease.jobId());
		assertThat(explain(lease.jobId()).facts()).containsEntry("cancelRequested", true);
		assertThat(explain(lease.jobId()).summary()).contains("requested to stop");
	}

	@Test
	void itsWorkerIsDead() {
		Lease lease = database.lease(worker(10), "type");
		database.kill(lastWorker());
		Explanation explanation = explain(lease.jobId());
		assertThat(explanation.verdict()).isEqualTo(Verdict.WORKER_DEAD);
		assertThat(explanation.summary()).contains("There is no other live worker");
		worker(10);
		assertThat(explain(lease.jobId()).summary()).contains("Another worker recovers the job");
	}

	@Test
	void itsWorkerIsUnknown() {
		Lease lease = database.lease(worker(10), "type");
		database.update("delete from {schema}.worker");
		assertThat(explain(lease.jobId()).verdict()).isEqualTo(Verdict.WORKER_DEAD);
	}

	@Test
	void itsWorkerWasNotHeardOf() {
		Lease lease = database.lease(worker(10), "type");
		database.silence(lastWorker(), Duration.ofSeconds(12));
		Explanation explanation = explain(lease.jobId());
		assertThat(explanation.verdict()).isEqualTo(Verdict.WORKER_SILENT);
		assertThat((Duration) explanation.facts().get("heartbeatAge")).isGreaterThan(Duration.ofSeconds(11));
	}

	@Test
	void itRunsAgainAfterTheOneThatHasItsKey() {
		long worker = worker(10);
		long first = database.enqueue(JobRequest.of("type").uniqueKey("key"));
		database.claimOne(worker);
		long again = database.enqueue(JobRequest.of("type").uniqueKey("key").duplicates(DuplicatePolicy.runAgain()));
		Explanation explanation = explain(again);
		assertThat(explanation.verdict()).isEqualTo(Verdict.BEHIND_ITS_KEY);
		assertThat(explanation.facts()).containsEntry("behind", first).containsEntry("state", "scheduled");
	}

	@Test
	void theDatabaseTakesNoWrites() throws Exception {
		worker(10);
		long id = database.enqueue(JobRequest.of("type"));
		PGSimpleDataSource readOnly = new PGSimpleDataSource();
		readOnly.setUrl(((PGSimpleDataSource) database.direct()).getUrl());
		readOnly.setUser(((PGSimpleDataSource) database.direct()).getUser());
		readOnly.setPassword(((PGSimpleDataSource) database.direct()).getPassword());
		readOnly.setOptions("-c default_transaction_read_only=on");
		assertThat(admin(new JdbcTemplate(readOnly)).explain(id).verdict()).isEqualTo(Verdict.DATABASE_READ_ONLY);
	}

	@Test
	void theClockOfTheServerWasSetBack() {
		worker(10);
		long id = database.enqueue(JobRequest.of("type").delay(Duration.ofSeconds(1)));
		database.update("update {schema}.job set created_at = created_at + interval '1 hour',"
				+ " run_at = run_at + interval '1 hour' where id = ?", id);
		Explanation explanation = explain(id);
		assertThat(explanation.verdict()).isEqualTo(Verdict.CLOCK_SET_BACK);
		assertThat(explanation.then()).containsExactly(Verdict.NOT_DUE);
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> candidate(Explanation explanation) {
		return ((List<Map<String, Object>>) explanation.facts().get("candidates")).get(0);
	}

	/** A list says the same, apart from what it does not look for. */
	private Explanation explain(long id) {
		Explanation explanation = this.admin.explain(id);
		Explanation listed = Objects.requireNonNull(this.admin.explainAll(List.of(id), TextMasker.NONE).get(id));
		switch (explanation.verdict()) {
			case LOCKED -> assertThat(listed.verdict()).isIn(Verdict.CLAIMABLE, Verdict.NOT_PROMOTED);
			case BEHIND_OTHERS ->
				assertThat(listed.verdict()).isIn(Verdict.BEHIND_OTHERS, Verdict.WORKERS_FULL, Verdict.CLAIMABLE);
			default -> {
				assertThat(listed.verdict()).isEqualTo(explanation.verdict());
				assertThat(listed.then()).containsExactlyElementsOf(
						explanation.then().stream().filter((verdict) -> verdict != Verdict.LOCKED).toList());
			}
		}
		return explanation;
	}

	private static JobAdmin admin(JdbcTemplate jdbc) {
		return new DefaultJobAdmin(new QueueDatabase(jdbc, SchemaName.DEFAULT), database.jobs().wakeUps());
	}

	private static long worker(int slots) {
		return register(Map.of("*", slots), Map.of());
	}

	private static long register(Map<String, Integer> slots, Map<String, Integer> limits) {
		return database.workers()
			.register(WorkerIdentities.of("test", slots.keySet(), List.of("type"), Map.of(), slots, limits));
	}

	private static long lastWorker() {
		return database.query("select max(id) from {schema}.worker", Long.class);
	}

}
