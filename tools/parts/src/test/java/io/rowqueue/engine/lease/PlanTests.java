package io.rowqueue.engine.lease;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.rowqueue.DuplicatePolicy;
import io.rowqueue.JobRequest;
import io.rowqueue.engine.admin.DefaultJobChanges;
import io.rowqueue.engine.admin.OverviewStore;
import io.rowqueue.engine.control.ChangeScope;
import io.rowqueue.engine.control.ControlStore;
import io.rowqueue.engine.control.FailedJobStore;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.StatementTimeouts;
import io.rowqueue.engine.database.WhenDue;
import io.rowqueue.engine.database.WorkerDataSource;
import io.rowqueue.engine.explain.ExplainStatement;
import io.rowqueue.engine.history.CleanupStore;
import io.rowqueue.engine.job.DuplicatePolicyTests;
import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.limit.AdmissionStore;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.maintenance.MaintenanceStore;
import io.rowqueue.engine.maintenance.PeriodicTask;
import io.rowqueue.engine.maintenance.Task;
import io.rowqueue.engine.recovery.LeaseCheckStore;
import io.rowqueue.engine.recovery.RecoveryStore;
import io.rowqueue.engine.schedule.ScheduleStore;
import io.rowqueue.engine.worker.WorkerStore;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.testing.Stores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No statement reads a big table from its beginning to its end, whatever the planner
 * knows of it. The server counts its sequential scans, so the statements are those that
 * run in production. Each runs so often that driver and server prepare it.
 */
class PlanTests {

	private static final int TIMES = 15;

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase().withNewFiles();

	private final long worker = database.worker();

	private final long dead = database.worker();

	private int keys;

	private Connection connection;

	private JdbcTemplate jdbc;

	private Stores jobs;

	@BeforeEach
	void connect() throws Exception {
		this.connection = database.direct().getConnection();
		this.jdbc = new JdbcTemplate(new SingleConnectionDataSource(this.connection, true));
		this.jobs = new Stores(this.jdbc);
	}

	@AfterEach
	void disconnect() throws Exception {
		this.connection.close();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void noStatementReadsAllJobs(boolean statistics) {
		fill();
		if (statistics) {
			database.execute("analyze {schema}.job");
		}
		QueueDatabase queueDatabase = new QueueDatabase(this.jdbc, SchemaName.DEFAULT);
		WorkerStore workers = new WorkerStore(queueDatabase);
		RecoveryStore recovery = new RecoveryStore(queueDatabase, StoreListener.NONE);
		MaintenanceStore maintenance = new MaintenanceStore(queueDatabase);
		ChangeScope changes = ChangeScope.separate(queueDatabase);
		ControlStore control = new ControlStore(changes);
		ExplainStatement explained = new ExplainStatement(queueDatabase);
		Lane lane = new Lane("queue-1", "type-1", 0);
		Claim claim = new Claim(this.worker, Map.of("pool", 20),
				List.of(new PoolLane("pool", new LaneHead(lane, LaneHead.NO_MARK))));
		List<Lease> nothing = LongStream.range(0, 100).mapToObj((id) -> new Lease(id * 500, 99)).toList();

		assertThatScans("sweep", this.jobs::sweep);
		assertThatScans("claim", () -> assertThat(this.jobs.claim(claim).jobs()).hasSize(20));
		assertThatScans("claim of untouched jobs",
				() -> assertThat(this.jobs.claim(claim.ofUntouched()).jobs()).hasSize(20));
		assertThatScans("running", () -> this.jobs.leases().running(this.worker, nothing));
		assertThatScans("succeed", () -> this.jobs.succeed(this.worker, nothing));
		assertThatScans("release", () -> this.jobs.outcomes().release(this.worker, nothing));
		assertThatScans("fail", () -> this.jobs.outcomes()
			.fail(this.worker, nothing.stream().map((lease) -> new Failure(lease, "error", null)).toList()));
		assertThatScans("find", () -> this.jobs.find(4711));
		assertThatScans("heartbeat", () -> workers.heartbeat(this.worker, 0));
		assertThatScans("recover", () -> assertThat(recovery.recover(5, 20)).hasSize(20));
		assertThatScans("forget", recovery::forget);
		assertThatScans("look for unknown leases",
				() -> assertThat(new LeaseCheckStore(queueDatabase).note(0, 10)).isEmpty());
		assertThatScans("promote", () -> assertThat(maintenance.promoteAll(20)).isNotEmpty());
		maintenance.add(List.of("rowqueue-maintenance"));
		assertThatScans("take tasks",
				() -> maintenance.take("rowqueue-maintenance",
						List.of(offer("promote", MaintenanceStore.PROMOTIONS),
								offer("admit", AdmissionStore.ADMISSIONS), offer("schedule", ScheduleStore.NEXT)),
						Duration.ZERO, Duration.ofMinutes(1), true));
		assertThatScans("enqueue", () -> enqueue(JobRequest.of("type"), JobRequest.of("type")));
		assertThatScans("enqueue with a free key",
				() -> enqueue(JobRequest.of("type").uniqueKey("free" + this.keys++)));
		DuplicatePolicyTests.EVERY.forEach((policy) -> {
			assertThatScans("enqueue with a key that waits", () -> enqueue(keyed("queued", policy)));
			assertThatScans("enqueue with a key that runs", () -> enqueue(keyed("starting", policy)));
		});
		assertThatScans("follow up", () -> assertThat(maintenance.followUp(20)).isEmpty());
		assertThatScans("retry", () -> new FailedJobStore(queueDatabase, changes).retry(4711));
		assertThatScans("unhandled", () -> assertThat(new OverviewStore(queueDatabase).unhandled()).isNotEmpty());
		assertThatScans("cancel", () -> control.cancel(4711));
		DefaultJobChanges several = new DefaultJobChanges(queueDatabase, this.jobs.wakeUps());
		List<Long> many = LongStream.range(4000, 4500).boxed().toList();
		assertThatScans("prioritize many", () -> several.prioritize(many, 1));
		assertThatScans("reschedule many", () -> several.reschedule(many, Duration.ofHours(1)));
		assertThatScans("cancel many", () -> several.cancel(many));
		List<Long> rejected = new ArrayList<>();
		assertThatScans("retry many",
				() -> several.retry(LongStream.range(100_001, 100_501).boxed().toList(), rejected::add));
		assertThatScans("erase many", () -> several.erase(LongStream.range(101_001, 101_501).boxed().toList()));
		assertThatScans("explain a job behind others", () -> explained.execute(50_000));
		assertThatScans("explain a job that is not due", () -> explained.execute(90_000));
		assertThatScans("delete failed",
				() -> new CleanupStore(queueDatabase).deleteFailed(Duration.ZERO, Map.of(), 20));
	}

	private JobRequest keyed(String state, DuplicatePolicy policy) {
		return JobRequest.of("type").uniqueKey(state + " " + (500 + this.keys++ % 100)).duplicates(policy);
	}

	private static Task offer(String name, WhenDue due) {
		return new PeriodicTask(name, Duration.ZERO, due) {

			@Override
			public void run() {
			}

		};
	}

	private void enqueue(JobRequest... requests) {
		this.jobs.enqueue(Stream.of(requests).map((request) -> NewJobs.of(request, null)).toList());
	}

	/** Such as of a time when a thousand queues had five jobs each. */
	@ParameterizedTest
	@CsvSource({ "1000, 1, 5000", "1000, 5, 24000", "5000, 1, 24000", "1000, 5, 0" })
	void aClaimReadsALaneNoFurtherThanItsJobsWhateverTheStatistics(int queues, int types, int jobs)
			throws SQLException {
		database.execute("alter table {schema}.job set (autovacuum_enabled = false)");
		fillLanes(queues, types, jobs);
		database.execute((jobs > 0) ? "analyze {schema}.job"
				: "delete from pg_statistic where starelid = 'rowqueue.job'::regclass");
		database.execute("delete from {schema}.job");
		fillLanes(1, 1, 20_000);
		Claim claim = new Claim(this.worker, Map.of("pool", 20),
				List.of(new PoolLane("pool", new LaneHead(new Lane("queue-0", "type-0", 0), LaneHead.NO_MARK))));
		long before = entriesRead();
		try (Connection session = new WorkerDataSource(database.direct(), false, null, StatementTimeouts.DEFAULT)
			.getConnection()) {
			Stores worker = new Stores(new JdbcTemplate(new SingleConnectionDataSource(session, true)));
			for (int i = 0; i < TIMES; i++) {
				assertThat(worker.claim(claim).jobs()).hasSize(20);
				assertThat(worker.claim(claim.ofUntouched()).jobs()).hasSize(20);
			}
		}
		assertThat(entriesRead() - before).as("one claim that reads the lane reads 20,000").isLessThan(20_000);
	}

	private static void fillLanes(int queues, int types, int jobs) {
		database.update("""
				insert into {schema}.job (queue, type, state, run_at, order_at)
				select 'queue-' || i % ?, 'type-' || i / 3 % ?, 'queued', now(), now() - i * interval '1 millisecond'
				from generate_series(1, ?) i""", queues, types, jobs);
	}

	private long entriesRead() {
		this.jdbc.queryForList("select pg_stat_force_next_flush()");
		return this.jdbc.queryForObject(
				"select idx_tup_read from pg_stat_all_indexes where indexrelid = 'rowqueue.job_queued'::regclass",
				Long.class);
	}

	@Test
	void theServerPlansTheFirstClaimsOnly() {
		Claim claim = new Claim(this.worker, Map.of("pool", 20),
				List.of(new PoolLane("pool", new LaneHead(new Lane("queue-1", "type-1", 0), LaneHead.NO_MARK))));
		for (int i = 0; i < TIMES; i++) {
			this.jobs.claim(claim);
		}
		assertThat(this.jdbc.queryForObject("select sum(generic_plans) from pg_prepared_statements"
				+ " where statement like '%claim (worker_id, job_ids)%'", Long.class))
			.isPositive();
	}

	@Test
	void aStatementThatReadsAllJobsIsCounted() {
		long before = scans();
		this.jdbc.queryForList("select id from rowqueue.job where attempt = 42");
		assertThat(scans() - before).isEqualTo(1);
	}

	private void assertThatScans(String statement, Runnable execution) {
		long before = scans();
		for (int i = 0; i < TIMES; i++) {
			execution.run();
		}
		assertThat(scans() - before).as("sequential scans of %s in %d executions", statement, TIMES).isZero();
	}

	private long scans() {
		this.jdbc.queryForList("select pg_stat_force_next_flush()");
		return this.jdbc.queryForObject(
				"select seq_scan from pg_stat_all_tables where relid = 'rowqueue.job'::regclass", Long.class);
	}

	private void fill() {
		database.execute("alter table {schema}.job set (autovacuum_enabled = false)");
		database.execute("delete from pg_statistic where starelid = 'rowqueue.job'::regclass");
		fill(60_000, "queued", null);
		fill(40_000, "scheduled", null);
		fill(10_000, "failed", null);
		fill(1_000, "starting", this.worker);
		fill(1_000, "running", this.dead);
		database.kill(this.dead);
	}

	private static void fill(int jobs, String state, Long worker) {
		database.update(
				"""
						with job as (insert into {schema}.job (run_at, order_at, leased_at, worker_id, lease, state, queue, type, unique_key, payload)
						select now() - i * interval '1 millisecond', now() - i * interval '1 millisecond', now(), ?, 1,
							?::{schema}.job_state, 'queue-' || i % 3, 'type-' || i % 3, ? || ' ' || i, '{"to":"somebody@example.com"}'
						from generate_series(1, ?) i
						returning id, worker_id)
						insert into {schema}.claim (worker_id, job_ids)
						select worker_id, array_agg(id) from job where worker_id is not null group by worker_id""",
				worker, state, state, jobs);
	}

}
