package io.rowqueue.engine.lease;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.rowqueue.admin.JobCount;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.engine.admin.OverviewStore;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.explain.ExplainStatement;
import io.rowqueue.engine.history.CleanupStore;
import io.rowqueue.engine.job.QueueRanking;
import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.limit.AdmissionStore.Admission;
import io.rowqueue.engine.limit.AdmissionStore;
import io.rowqueue.engine.maintenance.MaintenanceStore.PromotedJobs;
import io.rowqueue.engine.maintenance.MaintenanceStore;
import io.rowqueue.engine.measure.MeasurementStore;
import io.rowqueue.engine.search.JobSearchStore;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.testing.Stores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What runs again and again does not read what it has nothing to do with, however much
 * there is of it. The server counts what is read of each index.
 */
class BoundedReadTests {

	private static final int MANY = 20_000;

	/** Far less than {@link #MANY}, and more than a few jobs need. */
	private static final long FEW = 200;

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase().withNewFiles();

	private Connection connection;

	/** One session, whose statistics are flushed when it asks for that. */
	private JdbcTemplate jdbc;

	private QueueDatabase queueDatabase;

	private MaintenanceStore maintenance;

	/** What the planner knows does not depend on when autovacuum runs. */
	@BeforeEach
	void forgetStatistics() {
		database.execute("alter table {schema}.job set (autovacuum_enabled = false)");
		database.execute("delete from pg_statistic where starelid = '{schema}.job'::regclass");
	}

	@BeforeEach
	void connect() throws Exception {
		this.connection = database.direct().getConnection();
		this.jdbc = new JdbcTemplate(new SingleConnectionDataSource(this.connection, true));
		this.jdbc.execute("set enable_seqscan = off"); // as on the connections of workers
		this.queueDatabase = new QueueDatabase(this.jdbc, SchemaName.DEFAULT);
		this.maintenance = new MaintenanceStore(this.queueDatabase);
	}

	@AfterEach
	void disconnect() throws Exception {
		this.connection.close();
	}

	/**
	 * So often that driver and server prepare the statement, and plan it once for all.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void jobsThatWaitInALaneBehindThoseThatAreClaimed(boolean untouched) {
		fill("queued", "now()", "null");
		Stores jobs = new Stores(this.jdbc);
		Claim claim = new Claim(database.worker(), Map.of("pool", 5),
				List.of(new PoolLane("pool", new LaneHead(new Lane("default", "type", 0), LaneHead.NO_MARK))),
				untouched, List.of());
		long before = read("job_queued");
		for (int i = 0; i < 15; i++) {
			assertThat(jobs.claim(claim).jobs()).hasSize(5);
			assertThat(jobs.sweep().heads()).hasSize(1);
		}
		assertThat(read("job_queued") - before).isLessThan(15 * FEW);
	}

	@Test
	void jobsThatAreNotDueWhenOthersArePromoted() {
		fill("scheduled", "now() + interval '1 day'", "null");
		database.execute("update {schema}.job set run_at = now() - interval '1 second' where id % 4000 = 0");
		long before = read("job_scheduled");
		assertThat(this.maintenance.promoteAll(5000)).extracting(PromotedJobs::jobs).containsExactly(5);
		assertThat(read("job_scheduled") - before).isLessThan(FEW);
	}

	@Test
	void jobsThatWerePromotedWhileATransactionKeepsTheirDeadEntries() throws Exception {
		try (OpenTransaction pinned = database.begin()) {
			// nothing that dies from now on can be removed
			pinned.execute("select pg_current_xact_id()");
			fill("scheduled", "now() - interval '1 hour'", "null");
			assertThat(promoted(this.maintenance.promote(15_000))).isEqualTo(15_000);
			assertThat(promoted(this.maintenance.promote(15_000))).isEqualTo(5000);
			database.execute("update {schema}.job set state = 'scheduled', run_at = now()"
					+ " where id = (select max(id) from {schema}.job)");
			long before = read("job_scheduled");
			assertThat(promoted(this.maintenance.promote(5000))).isEqualTo(1);
			assertThat(read("job_scheduled") - before).isLessThan(FEW);
			before = read("job_scheduled");
			assertThat(promoted(this.maintenance.promoteAll(5000))).isZero();
			assertThat(read("job_scheduled") - before).as("without the mark").isGreaterThan(MANY);
		}
	}

	@Test
	void jobsThatWereAdmittedWhileATransactionKeepsTheirDeadEntries() throws Exception {
		AdmissionStore admissions = new AdmissionStore(this.queueDatabase);
		try (OpenTransaction pinned = database.begin()) {
			pinned.execute("select pg_current_xact_id()");
			fill("scheduled", "now() - interval '1 hour'", "null");
			database.execute("update {schema}.job set limit_key = 'key'");
			Admission admission = admissions.admitDue();
			while (admission.unfinished()) {
				admission = admissions.admitDue();
			}
			assertThat(scheduled()).isZero();
			database.execute("update {schema}.job set state = 'scheduled', awaits_key = null, run_at = now()"
					+ " where id = (select max(id) from {schema}.job)");
			long before = read("job_scheduled");
			admissions.admitDue();
			assertThat(scheduled()).isZero();
			assertThat(read("job_scheduled") - before).isLessThan(FEW);
			before = read("job_scheduled");
			admissions.admitDue(true);
			assertThat(read("job_scheduled") - before).as("without the mark").isGreaterThan(MANY);
		}
	}

	@Test
	void jobsOfQueuesThatAreNotShownWhenManyQueuesAreMeasuredOrCounted() {
		int queues = 5 * QueueRanking.MAX_QUEUES;
		int jobs = 400;
		database.update(
				"insert into {schema}.job (run_at, order_at, state, queue, type)"
						+ " select now(), now(), 'queued', 'queue-' || i % ?, 'type' from generate_series(1, ?) i",
				queues, queues * jobs);
		long before = read("job_queued");
		new MeasurementStore(this.queueDatabase).measure(Duration.ofDays(1));
		long measured = read("job_queued");
		assertThat(measured - before).isLessThan(queues * jobs * 3 / 4);
		List<JobCount> counts = new OverviewStore(this.queueDatabase).count();
		assertThat(read("job_queued") - measured).isLessThan(queues * jobs * 3 / 4);
		assertThat(counts).hasSize(QueueRanking.MAX_QUEUES + 1)
			.filteredOn((count) -> !count.queue().equals("others"))
			.extracting(JobCount::jobs)
			.containsOnly((long) jobs);
	}

	@Test
	void jobsThatWaitInTheLanesOfAQueueWhenOneOfThemIsExplained() {
		fill("queued", "now()", "null");
		database.execute("update {schema}.job set type = 'other' where id % 2 = 0");
		long first = database.query("select min(id) from {schema}.job", Long.class);
		ExplainStatement explain = new ExplainStatement(this.queueDatabase);
		long before = read("job_queued");
		assertThat(explain.execute(first).job()).isNotNull();
		assertThat(read("job_queued") - before).isLessThan(FEW);
	}

	@Test
	void jobsThatWaitInTheLanesOfAQueueWhenTheFirstOnesOrTheLatestFailuresAreListed() {
		fill("queued", "now()", "null");
		database.execute("update {schema}.job set type = 'other' where id % 2 = 0");
		long before = read("job_queued");
		assertThat(
				new JobSearchStore(this.queueDatabase).find(JobFilter.ofQuery("state=queued&queue=default"), null, 10)
					.jobs())
			.hasSize(10);
		assertThat(read("job_queued") - before).isLessThan(FEW);
		database.execute("insert into {schema}.job_failure (job_id, failed_at, attempt, error)"
				+ " select max(id), now(), 1, 'error' from {schema}.job");
		// a planner that takes the job for one of the first ones merges the tables
		this.jdbc.execute("set enable_nestloop = off");
		this.jdbc.execute("set enable_hashjoin = off");
		before = read("job_pkey");
		assertThat(new OverviewStore(this.queueDatabase).failures(10)).hasSize(1);
		assertThat(read("job_pkey") - before).isLessThan(FEW);
	}

	private static int scheduled() {
		return database.count("job where state = 'scheduled'");
	}

	private static int promoted(List<PromotedJobs> jobs) {
		return jobs.stream().mapToInt(PromotedJobs::jobs).sum();
	}

	@Test
	void failedJobsThatStayWhenOldOnesAreDeleted() {
		fill("failed", "now()", "now() - case when i % 4000 = 0 then interval '2 days' else interval '0' end");
		database.execute("update {schema}.job set queue = 'other' where id % 8000 = 0");
		long before = read("job_failed");
		assertThat(new CleanupStore(this.queueDatabase).deleteFailed(Duration.ofDays(1),
				Map.of("other", Duration.ofDays(7)), 5000))
			.isBetween(3, 4);
		assertThat(read("job_failed") - before).isLessThan(FEW);
	}

	@Test
	void keysThatStayTakenWhenOthersAreDeleted() {
		database.update("insert into {schema}.taken_key (unique_key, job_id, taken_until)"
				+ " select 'key ' || i, i, now() + case when i % 4000 = 0 then interval '-1 day' else interval '1 day' end"
				+ " from generate_series(1, ?) i", MANY);
		long before = read("taken_key_until");
		assertThat(new CleanupStore(this.queueDatabase).deleteKeys(5000)).isEqualTo(5);
		assertThat(read("taken_key_until") - before).isLessThan(FEW);
	}

	@Test
	void recordsOfFailuresThatStayWhenOldOnesAreDeleted() {
		database.update("insert into {schema}.job_failure (job_id, failed_at, attempt, error)"
				+ " select i, now() - case when i % 4000 = 0 then interval '2 days' else interval '0' end, 1, 'error'"
				+ " from generate_series(1, ?) i", MANY);
		long before = read("job_failure_time");
		assertThat(new CleanupStore(this.queueDatabase).deleteFailures(Duration.ofDays(1), 5000)).isEqualTo(5);
		assertThat(read("job_failure_time") - before).isLessThan(FEW);
	}

	private static void fill(String state, String runAt, String leasedAt) {
		database.update("insert into {schema}.job (run_at, order_at, leased_at, state, queue, type) select " + runAt
				+ ", now(), " + leasedAt + ", ?::{schema}.job_state, 'default', 'type' from generate_series(1, ?) i",
				state, MANY);
	}

	private long read(String index) {
		this.jdbc.queryForList("select pg_stat_force_next_flush()");
		return this.jdbc.queryForObject(
				"select idx_tup_read from pg_stat_all_indexes" + " where schemaname = 'rowqueue' and indexrelname = ?",
				Long.class, index);
	}

}
