package io.rowqueue.engine.shard;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.rowqueue.JobRequest;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.lease.Claim;
import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.lease.Lane;
import io.rowqueue.engine.lease.LaneHead;
import io.rowqueue.engine.maintenance.MaintenanceStore;
import io.rowqueue.engine.worker.WorkerStore;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.testing.OpenTransaction;
import io.rowqueue.testing.Stores;
import io.rowqueue.testing.WorkerIdentities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The source of a move is full of dead rows afterwards, which a vacuum cannot remove
 * while a transaction is open that began before.
 */
@Tag("thorough")
class DeadRowsOfMovesTests {

	private static final int MANY = 5000;

	/** Of what is read in any case. */
	private static final int FEW = 20;

	private static final String TYPE = "test";

	@AutoClose
	private final TestShards shards = new TestShards();

	/** One session at the source, whose statistics are flushed when it asks for that. */
	private Connection connection;

	private JdbcTemplate jdbc;

	private Stores jobs;

	private MaintenanceStore maintenance;

	private long worker;

	@BeforeEach
	void connect() throws Exception {
		this.connection = this.shards.engine(0).dataSource().getConnection();
		this.jdbc = new JdbcTemplate(new SingleConnectionDataSource(this.connection, true));
		this.jdbc.execute("set enable_seqscan = off"); // as on the connections of workers
		this.jobs = new Stores(this.jdbc);
		QueueDatabase database = new QueueDatabase(this.jdbc, SchemaName.DEFAULT);
		this.maintenance = new MaintenanceStore(database);
		this.worker = new WorkerStore(database).register(WorkerIdentities
			.withLease(WorkerIdentities.of("test", List.of("default"), List.of(TYPE)), Duration.ofMinutes(1)));
	}

	@AfterEach
	void disconnect() throws SQLException {
		this.connection.close();
	}

	@Test
	void doNotSlowDownClaims() throws Exception {
		try (OpenTransaction pinned = this.shards.engine(0).begin()) {
			pinned.execute("select pg_current_xact_id()");
			long before = blocksOfAClaim();
			enqueueKeyed(Duration.ZERO);
			moveAll();
			assertThat(blocksOfAClaim()).isLessThan(before + FEW);
			assertThat(blocksOfAClaim(LaneHead.NO_MARK)).as("without the mark").isGreaterThan(before + 5 * FEW);
		}
	}

	@Test
	void doNotSlowDownPromotions() throws Exception {
		try (OpenTransaction pinned = this.shards.engine(0).begin()) {
			pinned.execute("select pg_current_xact_id()");
			long before = blocksOfAPromotion();
			enqueueKeyed(Duration.ofMinutes(10));
			this.jdbc.update("update rowqueue.job set run_at = clock_timestamp() - interval '1 hour'");
			moveAll();
			blocksOfAPromotion(); // which goes past them once
			assertThat(blocksOfAPromotion()).isLessThan(before + FEW);
			enqueueDue();
			assertThat(blocksOf(() -> this.maintenance.promoteAll(100))).as("without the mark")
				.isGreaterThan(before + 5 * FEW);
		}
	}

	private void enqueueKeyed(Duration delay) {
		for (int from = 0; from < MANY; from += 1000) {
			this.shards.queue()
				.enqueueAll(IntStream.range(from, from + 1000)
					.mapToObj((i) -> JobRequest.of(TYPE, "").uniqueKey("key " + i).delay(delay))
					.toList());
		}
	}

	private void moveAll() {
		new ShardMoves(this.shards.group()).moveBuckets(this.shards.shard(0), this.shards.shard(1), 4096);
		assertThat(this.shards.engine(1).jobs()).isEqualTo(MANY);
	}

	private long blocksOfAClaim() throws SQLException {
		enqueueHere(Duration.ZERO);
		return blocksOfAClaim(this.jobs.sweep().heads().get(0).mark());
	}

	private long blocksOfAClaim(String mark) throws SQLException {
		enqueueHere(Duration.ZERO);
		Claim claim = new Claim(this.worker, Map.of("pool", 1),
				List.of(new PoolLane("pool", new LaneHead(new Lane("default", TYPE, 0), mark))));
		return blocksOf(() -> assertThat(this.jobs.claim(claim).jobs()).hasSize(1));
	}

	private long blocksOfAPromotion() throws SQLException {
		enqueueDue();
		return blocksOf(() -> assertThat(this.maintenance.promote(100)).isNotEmpty());
	}

	private void enqueueDue() {
		enqueueHere(Duration.ofDays(1));
		this.jdbc.update("update rowqueue.job set run_at = clock_timestamp() where state = 'scheduled'"
				+ " and run_at > clock_timestamp() + interval '1 hour'");
	}

	private void enqueueHere(Duration delay) {
		this.shards.shard(0).queue().enqueue(JobRequest.of(TYPE, "").delay(delay));
	}

	/** How many blocks of the jobs and of their indexes a statement reads. */
	private long blocksOf(Runnable statement) throws SQLException {
		this.connection.setAutoCommit(false);
		long before = blocks();
		statement.run();
		long read = blocks() - before;
		this.connection.commit();
		this.connection.setAutoCommit(true);
		return read;
	}

	/** Of this session and transaction. */
	private long blocks() {
		return this.jdbc.queryForObject(
				"select sum(pg_stat_get_xact_blocks_fetched(r.oid)) from (select 'rowqueue.job'::regclass as oid"
						+ " union all select indexrelid from pg_index where indrelid = 'rowqueue.job'::regclass) r",
				Long.class);
	}

}
