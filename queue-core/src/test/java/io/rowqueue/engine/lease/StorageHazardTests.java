package io.rowqueue.engine.lease;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.testing.NewJobs;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.StoreDatabase;
import io.rowqueue.testing.Stores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What makes other queues slow in PostgreSQL. */
class StorageHazardTests {

	@RegisterExtension
	static final StoreDatabase database = new StoreDatabase().withNewFiles();

	private static final int MANY = 3000;

	private Connection connection;

	/** One session, whose statistics are flushed when it asks for that. */
	private JdbcTemplate jdbc;

	private Stores jobs;

	private final long worker = database.worker();

	@BeforeEach
	void connect() throws Exception {
		this.connection = database.direct().getConnection();
		this.jdbc = new JdbcTemplate(new SingleConnectionDataSource(this.connection, true));
		this.jdbc.execute("set enable_seqscan = off"); // as on the connections of workers
		this.jobs = new Stores(this.jdbc);
	}

	@AfterEach
	void disconnect() throws Exception {
		this.connection.close();
	}

	@Test
	void deadRowsThatALongTransactionKeepsAreNotWalkedByClaims() throws Exception {
		try (OpenTransaction pinned = database.begin()) {
			// nothing that dies from now on can be removed
			pinned.execute("select pg_current_xact_id()");
			database.update(
					"insert into {schema}.job (run_at, order_at, state, queue, type) select now(),"
							+ " now() - interval '1 hour', 'queued', 'default', 'type' from generate_series(1, ?)",
					MANY);
			List<Lease> leases = claim(MANY, LaneHead.NO_MARK).stream().map(ClaimedJob::lease).toList();
			assertThat(this.jobs.succeed(this.worker, leases)).hasSize(MANY);
			enqueue(1, 0);
			String mark = this.jobs.sweep().heads().get(0).mark();
			long before = entriesRead();
			assertThat(claim(1, mark)).hasSize(1);
			assertThat(entriesRead() - before).as("index entries that the claim read").isLessThan(100);
			enqueue(1, 0);
			before = entriesRead();
			assertThat(claim(1, LaneHead.NO_MARK)).hasSize(1);
			assertThat(entriesRead() - before).as("without the mark").isGreaterThan(MANY);
		}
	}

	@Test
	void jobsToComeDoNotSlowDownTheClaimOfTheOthers() {
		database.update("insert into {schema}.job (run_at, order_at, state, queue, type, priority)"
				+ " select now() + interval '1 day', now(), 'scheduled', 'default', 'type', 9 from generate_series(1, ?)",
				MANY);
		enqueue(10, 0);
		String mark = this.jobs.sweep().heads().get(0).mark();
		long before = entriesRead();
		assertThat(claim(10, mark)).hasSize(10);
		assertThat(entriesRead() - before).isLessThan(100);
	}

	@Test
	void aJobsLifeWritesToNoRowThatJobsShare() throws SQLException {
		this.connection.setAutoCommit(false);
		Map<String, Long> before = updates();
		enqueue(200, 0);
		for (int i = 0; i < 20; i++) {
			this.jobs.succeed(this.worker, claim(10, LaneHead.NO_MARK).stream().map(ClaimedJob::lease).toList());
		}
		Map<String, Long> after = updates();
		assertThat(after.get("job") - before.get("job")).as("one claim for each job").isEqualTo(200);
		after.keySet().remove("job");
		before.keySet().remove("job");
		assertThat(after).isEqualTo(before);
	}

	@Test
	void theTableOfJobsHasFewIndexesAndVacuumsItself() {
		assertThat(database.list("select indexdef from pg_indexes where schemaname = 'rowqueue' and tablename = 'job'",
				String.class))
			.allMatch((index) -> index.contains("USING btree"))
			.filteredOn((index) -> !index.contains(" WHERE ") || !index.matches(
					".*WHERE.*(limit_key|batch_id|unique_key|worker_id) IS NOT NULL.*|.*'(scheduled|failed|blocked)'.*"))
			.as("what a job enters that is queued at once and has no key: one for its id, one for its lane")
			.hasSize(2);
		for (String table : List.of("job", "worker", "maintenance_task", "job_progress", "job_follow_up",
				"job_dependency", "job_end", "batch_delta", "job_limit", "job_slot", "job_key", "job_step",
				"job_signal", "job_wait", "fair_key")) {
			assertThat(database.list("select unnest(reloptions) from pg_class where oid = ('rowqueue.' || ?)::regclass",
					String.class, table))
				.as(table)
				.contains("autovacuum_vacuum_scale_factor=0");
		}
	}

	@Test
	void idsNeedMoreThan32Bits() {
		database.execute("alter sequence rowqueue.job_id_seq restart with 5000000000");
		long id = enqueue(1, 0).get(0);
		assertThat(id).isGreaterThan(4_999_999_999L);
		Lease lease = claim(1, LaneHead.NO_MARK).get(0).lease();
		assertThat(this.jobs.leases().progress(this.worker, List.of(new ProgressReport(lease, 1, 1, 2, null))))
			.hasSize(1);
		assertThat(this.jobs.leases().running(this.worker, lease)).isTrue();
		assertThat(this.jobs.succeed(this.worker, List.of(lease))).containsExactly(id);
		assertThat(database.state(id)).isEqualTo(JobState.SUCCEEDED);
	}

	private List<Long> enqueue(int count, int priority) {
		return this.jobs
			.enqueue(IntStream.range(0, count)
				.mapToObj((i) -> NewJobs.of(JobRequest.of("type").priority(priority), null))
				.toList())
			.stream()
			.map((result) -> result.id())
			.toList();
	}

	private List<ClaimedJob> claim(int count, String mark) {
		return this.jobs
			.claim(new Claim(this.worker, Map.of("pool", count),
					List.of(new PoolLane("pool", new LaneHead(new Lane("default", "type", 0), mark)))))
			.jobs();
	}

	private long entriesRead() {
		flush();
		return this.jdbc.queryForObject(
				"select idx_tup_read from pg_stat_user_indexes where indexrelid = 'rowqueue.job_queued'::regclass",
				Long.class);
	}

	/**
	 * Those of the transaction: other sessions may tell late of what they have done
	 * before.
	 */
	private Map<String, Long> updates() {
		Map<String, Long> updates = new HashMap<>();
		this.jdbc.query("select relname, n_tup_upd from pg_stat_xact_user_tables where schemaname = 'rowqueue'",
				(row) -> {
					updates.put(row.getString(1), row.getLong(2));
				});
		return updates;
	}

	private void flush() {
		this.jdbc.queryForList("select pg_stat_force_next_flush()");
	}

}
