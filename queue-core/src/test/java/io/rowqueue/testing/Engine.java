package io.rowqueue.testing;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.Job;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.JobState;
import io.rowqueue.PayloadCodec;
import io.rowqueue.control.JobControl;
import io.rowqueue.engine.codec.JacksonPayloadCodec;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.enqueue.Carriage;
import io.rowqueue.engine.enqueue.EnqueueHooks;
import io.rowqueue.engine.limit.AdmissionStore;
import io.rowqueue.engine.limit.HoldStore;
import io.rowqueue.engine.limit.LimitStore;
import io.rowqueue.engine.limit.WeightStore;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.recovery.RecoveryStore;
import io.rowqueue.engine.wakeup.JobEndings;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.engine.worker.WorkerStore;
import io.rowqueue.postgres.Database;
import io.rowqueue.postgres.QueueTables;
import io.rowqueue.schema.SchemaName;
import org.awaitility.Awaitility;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.json.JsonMapper;

/**
 * A database with the queue's tables, an application that enqueues, and the processes
 * that a test starts. All of it ends with the test.
 */
public final class Engine implements AutoCloseable {

	/** Longer than anything takes on the slowest machine. */
	public static final Duration PATIENCE = Duration.ofMinutes(3);

	/**
	 * How long a statement may take at most, and a stop of processes: less than JUnit
	 * lets a test take, whose interrupt ends neither.
	 */
	public static final Duration LIMIT = Duration.ofMinutes(6);

	public static final PayloadCodec CODEC = new JacksonPayloadCodec(JsonMapper.shared());

	/** Databases that no test uses now, by their names. */
	private static final Map<String, Deque<SharedDatabase>> SHARED = new ConcurrentHashMap<>();

	private final Database database;

	private final DataSource sessions;

	private final Deque<AutoCloseable> resources = new ConcurrentLinkedDeque<>();

	private final KeptConnections connections;

	private final JdbcTemplate jdbc;

	private final RemainingJobs remaining;

	private final QueueDatabase queueDatabase;

	private final JobQueue queue;

	private final Stores reader;

	/** With a database that an earlier test has used, emptied. */
	public Engine() {
		this("engine");
	}

	/**
	 * With a database that an earlier test has used which named it so, emptied. Tests
	 * that run at the same time have one each.
	 * @param name lower-case letters and underscores
	 */
	public Engine(String name) {
		this(SharedDatabase.take(name));
		QueueTables.empty(this.connections, false, false);
		this.jdbc.update("update rowqueue.maintenance_task set next_run_at = now(), taken_at = null, mark = null");
	}

	private Engine(SharedDatabase shared) {
		this(shared.database, shared.sessions, shared::giveBack);
	}

	private Engine(Database database) {
		this(database, KeptConnections.sessions(database), () -> {
		});
	}

	private Engine(Database database, DataSource sessions, AutoCloseable end) {
		onClose(end); // the last one
		this.database = database;
		this.sessions = sessions;
		this.connections = onClose(new KeptConnections(sessions));
		this.jdbc = new JdbcTemplate(this.connections);
		this.remaining = new RemainingJobs(this.jdbc);
		this.queueDatabase = new QueueDatabase(this.jdbc, SchemaName.DEFAULT);
		Awaitility.setDefaultTimeout(PATIENCE);
		Awaitility.setDefaultPollInterval(Duration.ofMillis(20));
		Awaitility.setDefaultPollDelay(Duration.ZERO);
		this.reader = new Stores(this.jdbc);
		HikariDataSource pool = pool(4);
		Stores store = new Stores(new JdbcTemplate(pool), new JdbcTemplate(pool), SchemaName.DEFAULT, true);
		this.queue = store.queue(pool, onClose(store.wakeUps()));
	}

	/** With a database of its own, for tests that change its tables. */
	public static Engine withOwnDatabase() {
		return new Engine(MigratedDatabase.create("engine"));
	}

	/** With a database of the test's. */
	public static Engine on(Database database) {
		MigratedDatabase.migrate(database.dataSource());
		return new Engine(database);
	}

	/** Connections for a pool or a transaction, which no process shares. */
	public DataSource sessions() {
		return this.sessions;
	}

	/** New connections, which no process shares. */
	public PGSimpleDataSource dataSource() {
		PGSimpleDataSource dataSource = this.database.dataSource();
		dataSource.setSocketTimeout((int) LIMIT.toSeconds());
		return dataSource;
	}

	public Database database() {
		return this.database;
	}

	public HikariDataSource pool(int size) {
		return pool(size, this.sessions);
	}

	/**
	 * A pool of connections that lead there. A server that is busy may take long to begin
	 * a session; a test about one that is away sets a shorter timeout.
	 */
	public HikariDataSource pool(int size, DataSource target) {
		HikariDataSource pool = new HikariDataSource();
		pool.setDataSource(target);
		pool.setMaximumPoolSize(size);
		pool.setMinimumIdle(0);
		pool.setConnectionTimeout(PATIENCE.toMillis());
		pool.setValidationTimeout(1000);
		pool.setInitializationFailTimeout(-1);
		// otherwise Hikari opens none any more when its first one is terminated
		pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
		return onClose(pool);
	}

	/**
	 * The queue of an application that runs no worker: it wakes by notifications only.
	 */
	public JobQueue queue() {
		return this.queue;
	}

	/** A queue in which others take part. */
	public JobQueue queue(EnqueueHooks hooks) {
		HikariDataSource pool = pool(4);
		Stores store = new Stores(new JdbcTemplate(pool), new JdbcTemplate(pool), SchemaName.DEFAULT, true);
		return store.queue(pool, onClose(store.wakeUps()), hooks);
	}

	/** The queue of an application some of whose jobs something else carries. */
	public JobQueue queue(Function<QueueDatabase, Carriage> carriage) {
		HikariDataSource pool = pool(2);
		JdbcTemplate pooled = new JdbcTemplate(pool);
		Stores store = new Stores(pooled, pooled, SchemaName.DEFAULT, true);
		return store.queue(pool, onClose(store.wakeUps()), new JobEndings(), carriage);
	}

	public long enqueue(String type) {
		return this.queue.enqueue(type, null).id();
	}

	public long enqueue(JobRequest request) {
		return this.queue.enqueue(request).id();
	}

	/** In sessions that are kept from one statement to the next. */
	public JdbcTemplate jdbc() {
		return this.jdbc;
	}

	/** The same sessions, as stores see them. */
	public QueueDatabase queueDatabase() {
		return this.queueDatabase;
	}

	/** What a test reads and changes the database with. */
	public Stores stores() {
		return this.reader;
	}

	/** The wake-ups of another process, which are closed at the end. */
	public WakeUps wakeUps() {
		return onClose(this.reader.wakeUps());
	}

	/** Changes jobs, as another process does. */
	public JobControl control() {
		return this.reader.control(wakeUps());
	}

	/** The workers, as another process sees them. */
	public WorkerStore workerStore() {
		return new WorkerStore(this.queueDatabase);
	}

	/** Recovery, as another process does it. */
	public RecoveryStore recovery() {
		return new RecoveryStore(this.queueDatabase, StoreListener.NONE);
	}

	/** The limits, as another process sets them. */
	public LimitStore limits() {
		return this.reader.limits();
	}

	public AdmissionStore admission() {
		return this.reader.admission();
	}

	public HoldStore holds() {
		return this.reader.holds();
	}

	public WeightStore weights() {
		return this.reader.weights();
	}

	/** Locks the row of a job until the transaction ends. */
	public OpenTransaction lock(long jobId) throws SQLException {
		OpenTransaction transaction = begin();
		transaction.execute("select from {schema}.job where id = " + jobId + " for update");
		return transaction;
	}

	/**
	 * A transaction on a connection of its own, which ends with the test at the latest.
	 */
	public OpenTransaction begin() throws SQLException {
		return onClose(new OpenTransaction(this.sessions.getConnection(), SchemaName.DEFAULT));
	}

	/** Describes a process with a worker. */
	public TestProcess.Builder process() {
		return new TestProcess.Builder(this);
	}

	public Job job(long id) {
		return this.reader.find(id).orElseThrow();
	}

	public Job awaitState(long id, JobState state) {
		return Awaitility.await("job " + id + " " + state).until(() -> job(id), (job) -> job.state() == state);
	}

	/** However long it takes, as long as there are fewer and fewer. */
	public void awaitAllOver() {
		awaitAllOver(() -> {
		});
	}

	/**
	 * However long it takes, as long as there are fewer and fewer.
	 * @param meanwhile again and again
	 */
	public void awaitAllOver(Runnable meanwhile) {
		this.remaining.await(PATIENCE, meanwhile);
	}

	/**
	 * The same for a randomized test: for minutes, and a failure names the seed.
	 * @param seed the seed of the test
	 * @param meanwhile again and again
	 */
	public void awaitAllOver(long seed, Runnable meanwhile) {
		this.remaining.await(seed, meanwhile);
	}

	/** How many jobs there are that have not ended, and those that have failed. */
	public long jobs() {
		return count("job");
	}

	/** How many of them are in a state. */
	public long jobs(JobState state) {
		return count("job where state = ?::rowqueue.job_state", state.label());
	}

	/** How many jobs workers hold. */
	public long leased() {
		return count("job where worker_id is not null");
	}

	/** How many jobs are in the history. */
	public long finished() {
		return count("job_finished");
	}

	/** How many workers are registered, dead ones included. */
	public long workers() {
		return count("worker");
	}

	/** Counts the rows of a table that satisfy a condition, if there is one. */
	public long count(String rows, Object... arguments) {
		return number("select count(*) from rowqueue." + rows, arguments);
	}

	/** Declares all workers dead, as others do when no heartbeat arrives. */
	public void declareWorkersDead() {
		this.jdbc.update("update rowqueue.worker set dead_at = now() where dead_at is null");
	}

	/**
	 * Declares all workers dead, and recovers their jobs until something has happened.
	 */
	public void recoverUntil(BooleanSupplier happened) {
		declareWorkersDead();
		RecoveryStore others = recovery();
		Awaitility.await().until(() -> {
			others.recover(10, 1000);
			return happened.getAsBoolean();
		});
	}

	public long number(String sql, Object... arguments) {
		Long number = this.jdbc.queryForObject(sql, Long.class, arguments);
		return (number != null) ? number : -1;
	}

	/**
	 * Whether statements of a form wait for other transactions.
	 * @param like a pattern of SQL
	 */
	public boolean isBlocked(String like) {
		return number(OpenTransaction.BLOCKED_STATEMENTS, like) > 0;
	}

	public List<Map<String, Object>> failures(long id) {
		return this.jdbc.queryForList("select * from rowqueue.job_failure where job_id = ? order by failed_at", id);
	}

	/** Ends the sessions of everybody else on this database. */
	public void terminateAllSessions() {
		this.jdbc.query("select pg_terminate_backend(pid) from pg_stat_activity"
				+ " where datname = current_database() and pid <> pg_backend_pid()", (row) -> {
				});
	}

	/**
	 * What {@link #jdbc()} does from now on, it does in sessions with the time zone that
	 * the JVM has now.
	 */
	public void reconnect() {
		this.connections.close();
	}

	/**
	 * Makes the database refuse everybody, and takes that back, with the end of the test
	 * at the latest.
	 */
	public void allowConnections(boolean allow) {
		PGSimpleDataSource outside = dataSource();
		String name = Objects.requireNonNull(outside.getDatabaseName());
		outside.setDatabaseName("postgres");
		JdbcTemplate admin = new JdbcTemplate(outside);
		admin.execute("alter database " + name + " with allow_connections " + allow);
		if (!allow) {
			onClose(() -> allowConnections(true));
			admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = ?", (row) -> {
			}, name);
		}
	}

	/** What is to be closed when the test ends, the latest first. */
	<T extends AutoCloseable> T onClose(T resource) {
		this.resources.push(resource);
		return resource;
	}

	/** Processes stop together: one that has lost its database takes seconds. */
	@Override
	public void close() throws Exception {
		try {
			stopProcesses();
		}
		finally {
			closeResources();
		}
	}

	/** Stops what runs, as the end of the test does otherwise. */
	public void stopProcesses() throws Exception {
		Async.await(this.resources.stream()
			.filter(TestProcess.class::isInstance)
			.map((process) -> Async.run(((TestProcess) process)::stop)), LIMIT, "Processes that stop");
	}

	/** Also if one of them fails: the next test uses the same database. */
	private void closeResources() throws Exception {
		Exception first = null;
		for (AutoCloseable next = this.resources.poll(); next != null; next = this.resources.poll()) {
			try {
				next.close();
			}
			catch (Exception ex) {
				first = (first != null) ? first : ex;
			}
		}
		if (first != null) {
			throw first;
		}
	}

	private record SharedDatabase(String name, Database database, DataSource sessions) {

		static SharedDatabase take(String name) {
			SharedDatabase unused = unused(name).poll();
			if (unused != null) {
				return unused;
			}
			Database created = MigratedDatabase.create(name);
			return new SharedDatabase(name, created, KeptConnections.sessions(created));
		}

		void giveBack() {
			unused(this.name).push(this);
		}

		private static Deque<SharedDatabase> unused(String name) {
			return SHARED.computeIfAbsent(name, (absent) -> new ConcurrentLinkedDeque<>());
		}

	}

}
