package io.rowqueue.testing;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.EnqueueResult;
import io.rowqueue.Job;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.lease.Claim;
import io.rowqueue.engine.lease.Claim.PoolLane;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.maintenance.MaintenanceStore;
import io.rowqueue.engine.recovery.RecoveryStore;
import io.rowqueue.engine.worker.WorkerStore;
import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.QueueTables;
import io.rowqueue.schema.SchemaName;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A queue of a test class's own on a real PostgreSQL, empty before each test. */
public final class StoreDatabase implements TestInstancePreConstructCallback, AfterAllCallback {

	public static final String POOL = "pool";

	/** The lease of each worker. */
	public static final Duration LEASE = Duration.ofMinutes(1);

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	private final PGSimpleDataSource direct;

	private final DataSource sessions;

	/**
	 * Leads to another pool after {@link #afterAll} has closed one: a class whose test
	 * has failed may run once more in this JVM.
	 */
	private final DelegatingDataSource pool = new DelegatingDataSource();

	private ExecutorService threads = Executors.newCachedThreadPool();

	private final Queue<OpenTransaction> begun = new ConcurrentLinkedQueue<>();

	private final SchemaName schema = SchemaName.DEFAULT;

	private final JdbcTemplate jdbc = new JdbcTemplate(this.pool);

	private final QueueDatabase queueDatabase = new QueueDatabase(this.jdbc, this.schema);

	private final Stores jobs = jobs(true);

	private final WorkerStore workers = new WorkerStore(this.queueDatabase);

	private final MaintenanceStore maintenance = new MaintenanceStore(this.queueDatabase);

	private boolean newFiles;

	public StoreDatabase() {
		Database database = MigratedDatabase.create("store");
		this.sessions = KeptConnections.sessions(database);
		this.direct = database.dataSource();
		this.direct.setSocketTimeout((int) Engine.LIMIT.toSeconds());
		this.pool.setTargetDataSource(newPool());
	}

	/** Opens no connection and starts no thread before it is used. */
	private HikariDataSource newPool() {
		HikariDataSource pool = new HikariDataSource();
		pool.setDataSource(this.direct);
		pool.setMinimumIdle(0);
		return pool;
	}

	/**
	 * Lets each test begin without dead rows, for tests that count what a statement
	 * reads.
	 */
	public StoreDatabase withNewFiles() {
		this.newFiles = true;
		return this;
	}

	public void initialize(SchemaName name) {
		MigratedDatabase.migrate(this.pool, name);
	}

	@Override
	public void preConstructTestInstance(TestInstanceFactoryContext test, ExtensionContext context)
			throws SQLException {
		for (OpenTransaction left = this.begun.poll(); left != null; left = this.begun.poll()) {
			left.close(); // of a test that has failed
		}
		QueueTables.empty(this.pool, true, this.newFiles);
		execute("update {schema}.maintenance_task set next_run_at = now(), taken_at = null, mark = null");
	}

	@Override
	public void afterAll(ExtensionContext context) throws SQLException {
		this.threads.shutdownNow();
		this.threads = Executors.newCachedThreadPool();
		this.pool.unwrap(HikariDataSource.class).close();
		this.pool.setTargetDataSource(newPool());
	}

	public Stores jobs() {
		return this.jobs;
	}

	public Stores jobs(boolean keepHistory) {
		return new Stores(this.jdbc, this.jdbc, this.schema, keepHistory);
	}

	public WorkerStore workers() {
		return this.workers;
	}

	public RecoveryStore recovery() {
		return new RecoveryStore(this.queueDatabase, StoreListener.NONE);
	}

	public MaintenanceStore maintenance() {
		return this.maintenance;
	}

	public JdbcTemplate jdbc() {
		return this.jdbc;
	}

	public QueueDatabase queueDatabase() {
		return this.queueDatabase;
	}

	/** Opens a connection for each caller. */
	public DataSource direct() {
		return this.direct;
	}

	/** A new live worker. */
	public long worker() {
		return this.workers.register(
				WorkerIdentities.withLease(WorkerIdentities.of("test", List.of("default"), List.of("type")), LEASE));
	}

	/** A worker that died and was declared. */
	public void kill(long worker) {
		update("update {schema}.worker set dead_at = clock_timestamp() where id = ?", worker);
	}

	/** Deletes a worker that holds jobs, as an administrator could. */
	public void delete(long worker) {
		update("delete from {schema}.worker where id = ?", worker);
	}

	/** Lets a worker's latest heartbeat be that long ago. */
	public void silence(long worker, Duration age) {
		update("update {schema}.worker set heartbeat_at = clock_timestamp() - ? * interval '1 second' where id = ?",
				age.toSeconds(), worker);
	}

	/** Enqueues jobs without payload and returns their ids. */
	public List<Long> enqueue(JobRequest... requests) {
		return this.jobs.enqueue(Arrays.stream(requests).map((request) -> NewJobs.of(request, null)).toList())
			.stream()
			.map(EnqueueResult::id)
			.toList();
	}

	public long enqueue(JobRequest request) {
		return enqueue(new JobRequest[] { request }).get(0);
	}

	/** Claims from all lanes, as a worker with one pool does. */
	public List<ClaimedJob> claim(long worker, int limit) {
		return claim(this.jobs, worker, limit);
	}

	public List<ClaimedJob> claim(Stores store, long worker, int limit) {
		return store
			.claim(new Claim(worker, Map.of(POOL, limit),
					store.sweep().heads().stream().map((head) -> new PoolLane(POOL, head)).toList()))
			.jobs();
	}

	public ClaimedJob claimOne(long worker) {
		return claim(worker, 1).get(0);
	}

	/** Enqueues a job of that type and claims it. */
	public Lease lease(long worker, String type) {
		long id = enqueue(JobRequest.of(type));
		return claim(worker, Integer.MAX_VALUE).stream()
			.map(ClaimedJob::lease)
			.filter((lease) -> lease.jobId() == id)
			.findFirst()
			.orElseThrow();
	}

	public Job find(long id) {
		return this.jobs.find(id).orElseThrow();
	}

	public JobState state(long id) {
		return find(id).state();
	}

	/** The database's clock. */
	public Instant now() {
		return query("select clock_timestamp()", OffsetDateTime.class).toInstant();
	}

	public Instant orderAt(long id) {
		return query("select order_at from {schema}.job where id = ?", OffsetDateTime.class, id).toInstant();
	}

	public void execute(String sql) {
		this.jdbc.execute(Sql.in(this.schema, sql));
	}

	public int update(String sql, Object... arguments) {
		return this.jdbc.update(Sql.in(this.schema, sql), arguments);
	}

	public <T> T query(String sql, Class<T> type, Object... arguments) {
		return this.jdbc.queryForObject(Sql.in(this.schema, sql), type, arguments);
	}

	/** Counts the rows of a table that satisfy a condition, if there is one. */
	public int count(String rows, Object... arguments) {
		return query("select count(*) from {schema}." + rows, Integer.class, arguments);
	}

	public <T> List<T> list(String sql, Class<T> type, Object... arguments) {
		return this.jdbc.queryForList(Sql.in(this.schema, sql), type, arguments);
	}

	/**
	 * A transaction on a connection of its own, which ends before the next test begins.
	 */
	public OpenTransaction begin() {
		try {
			OpenTransaction transaction = new OpenTransaction(this.sessions.getConnection(), this.schema);
			this.begun.add(transaction);
			return transaction;
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	public <T> Future<T> async(Callable<T> action) {
		return this.threads.submit(action);
	}

	public static <T> T result(Future<T> future) {
		try {
			return future.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
		}
		catch (InterruptedException | ExecutionException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Returns as soon as a statement waits for another transaction. */
	public void awaitBlockedStatement() {
		awaitBlockedStatements(1);
	}

	/**
	 * Returns as soon as so many statements wait for other transactions: some of them
	 * wait for 200 milliseconds only.
	 */
	public void awaitBlockedStatements(int statements) {
		Awaitility.await()
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(10))
			.atMost(PATIENCE)
			.until(() -> blockedStatements() >= statements);
	}

	/** How many statements wait for other transactions. */
	public int blockedStatements() {
		return query(OpenTransaction.BLOCKED_STATEMENTS, Integer.class, "%");
	}

}
