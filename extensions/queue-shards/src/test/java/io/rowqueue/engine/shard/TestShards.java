package io.rowqueue.engine.shard;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.JobQueue;
import io.rowqueue.JobRequest;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.engine.admin.DefaultFlowAdmin;
import io.rowqueue.engine.admin.DefaultJobAdmin;
import io.rowqueue.engine.admin.DefaultJobEditor;
import io.rowqueue.engine.admin.DefaultQueueOverview;
import io.rowqueue.engine.admin.JobEditStore;
import io.rowqueue.engine.admin.OverviewStore;
import io.rowqueue.engine.admin.WrittenPayloads;
import io.rowqueue.engine.control.DefaultJobLimits;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.TransactionCheck;
import io.rowqueue.engine.enqueue.CheckedPayloads;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.operation.BulkStore;
import io.rowqueue.engine.operation.DefaultOperations;
import io.rowqueue.engine.operation.OperationStore;
import io.rowqueue.engine.search.JobSearchStore;
import io.rowqueue.engine.shard.QueueShard.ShardQueue;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.engine.window.ClusterWindows;
import io.rowqueue.engine.window.WindowStore;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.shard.ShardAdmin;
import io.rowqueue.testing.Engine;
import io.rowqueue.testing.Stores;
import io.rowqueue.testing.UnsafeCommits;
import io.rowqueue.testing.UnsafeCommits.Fault;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Three databases that are one queue. The first one is the home shard. */
final class TestShards implements AutoCloseable {

	private static final List<String> NAMES = List.of("home", "eu", "us");

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final List<Engine> engines = NAMES.stream().map((name) -> new Engine("shard_" + name)).toList();

	/** The names of shards that this process takes for unavailable. */
	private final Set<String> away = ConcurrentHashMap.newKeySet();

	/** Those whose databases refuse connections. */
	private final Set<Engine> refusing = ConcurrentHashMap.newKeySet();

	/** Where workers offer their idle slots to what is enqueued in their shard. */
	private final List<DirectStart> directStarts = NAMES.stream().map((name) -> new DirectStart()).toList();

	private final List<QueueShard> shards;

	private final ShardGroup group;

	private final JobQueue queue;

	TestShards() {
		this(() -> Fault.NONE);
	}

	/** Creates the shards, whose applications lose connections at a commit. */
	TestShards(Supplier<Fault> commits) {
		this(commits, true);
	}

	private TestShards(Supplier<Fault> commits, boolean history) {
		this.shards = IntStream.range(0, NAMES.size())
			.mapToObj((i) -> shard(NAMES.get(i), this.engines.get(i), this.directStarts.get(i), commits, history))
			.toList();
		this.group = new ShardGroup(this.shards.get(0));
		this.queue = new ShardedJobQueue(this.group, UnaryOperator.identity(), (type) -> false, history,
				new TransactionCheck(TransactionCheck.Mode.WARN));
		this.shards.forEach((shard) -> {
			shard.refresh(this.shards.get(0));
			if (shard != this.shards.get(0)) {
				this.group.add(shard);
			}
		});
		this.group.refreshed();
	}

	/** Creates shards that keep no succeeded jobs. */
	static TestShards withoutHistory() {
		return new TestShards(() -> Fault.NONE, false);
	}

	private QueueShard shard(String name, Engine engine, DirectStart directStart, Supplier<Fault> commits,
			boolean history) {
		DataSource connections = new UnsafeCommits(engine.sessions(), engine.jdbc(), commits);
		DataSource application = patient(engine, engine.pool(12, connections));
		DataSource worker = patient(engine, engine.pool(4));
		QueueDatabase database = new QueueDatabase(new JdbcTemplate(application), SchemaName.DEFAULT);
		QueueDatabase own = new QueueDatabase(new JdbcTemplate(worker), SchemaName.DEFAULT);
		Stores stores = new Stores(new JdbcTemplate(application), new JdbcTemplate(application), SchemaName.DEFAULT,
				history);
		return new QueueShard(name,
				new ShardQueue(application, stores.queueOfShard(application, stores.wakeUps(), directStart),
						admin(engine, own), new ShardStore(own), new BucketStore(database, application),
						new HandoverStore(own, worker), () -> !this.away.contains(name)));
	}

	/** Waits longer for a connection of a database that does not refuse them. */
	private DataSource patient(Engine engine, HikariDataSource pool) {
		pool.setConnectionTimeout(500);
		return new DelegatingDataSource(pool) {

			@Override
			public Connection getConnection() throws SQLException {
				for (long end = System.nanoTime() + PATIENCE.toNanos();;) {
					try {
						return super.getConnection();
					}
					catch (SQLTransientConnectionException ex) {
						if (TestShards.this.refusing.contains(engine) || System.nanoTime() > end) {
							throw ex;
						}
					}
				}
			}

		};
	}

	private static ShardAdmin admin(Engine engine, QueueDatabase database) {
		JobAdmin admin = new DefaultJobAdmin(engine.queueDatabase(), engine.wakeUps());
		WakeUps local = WakeUps.ofThisProcess(engine.queueDatabase());
		return new ShardAdmin(admin,
				new DefaultJobEditor(new JobEditStore(database), local, CheckedPayloads.ofDefaults(),
						new WrittenPayloads(null)),
				new JobSearchStore(database), new DefaultQueueOverview(new OverviewStore(database)),
				new DefaultFlowAdmin(database, engine.wakeUps()), new DefaultJobLimits(engine.queueDatabase(), local),
				new ClusterWindows(new WindowStore(database)),
				new DefaultOperations(new OperationStore(database), new BulkStore(database)));
	}

	JobQueue queue() {
		return this.queue;
	}

	ShardGroup group() {
		return this.group;
	}

	QueueShard shard(int index) {
		return this.shards.get(index);
	}

	Engine engine(int index) {
		return this.engines.get(index);
	}

	List<Engine> engines() {
		return this.engines;
	}

	DirectStart directStart(int index) {
		return this.directStarts.get(index);
	}

	/** The database of a shard refuses connections, or takes them again. */
	void refuse(int index, boolean refuse) {
		if (refuse) {
			this.refusing.add(engine(index));
		}
		engine(index).allowConnections(!refuse);
		if (!refuse) {
			this.refusing.remove(engine(index));
		}
	}

	/** This process takes a shard for unavailable, or for available again. */
	void away(int index, boolean away) {
		if (away) {
			this.away.add(NAMES.get(index));
		}
		else {
			this.away.remove(NAMES.get(index));
		}
	}

	/** Returns the bucket of a job with a key. */
	int bucket(JobRequest request) {
		return Buckets.of(List.of(request)).get(0);
	}

	@Override
	public void close() throws Exception {
		for (Engine engine : this.engines) {
			engine.close();
		}
	}

}
