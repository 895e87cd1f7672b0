package io.rowqueue.shard.autoconfigure;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import io.rowqueue.JobQueue;
import io.rowqueue.admin.FlowAdmin;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.JobEditor;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.operation.Operations;
import io.rowqueue.engine.database.ApplicationDataSource;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.database.WorkerPool;
import io.rowqueue.engine.shard.BucketStore;
import io.rowqueue.engine.shard.HandoverStore;
import io.rowqueue.engine.shard.QueueShard;
import io.rowqueue.engine.shard.QueueShard.ShardQueue;
import io.rowqueue.engine.shard.ShardGroup;
import io.rowqueue.engine.shard.ShardStore;
import io.rowqueue.engine.support.Loop;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.shard.ShardAdmin;
import io.rowqueue.window.Windows;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.datasource.DataSourceUtils;

/**
 * Keeps one shard in use, from its first connection until it is closed. A database that
 * is not available is tried again and again, and nothing else waits for it.
 */
final class ShardHost implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(ShardHost.class);

	/** How often the buckets are read. */
	private static final Duration INTERVAL = Duration.ofSeconds(10);

	private final String name;

	private final DataSource dataSource;

	private final ApplicationContext application;

	private final ShardGroup group;

	/**
	 * That of the shard's beans too: one line of the log when it begins, one at its end.
	 */
	private final Outage outage;

	private final Loop loop;

	private final CountDownLatch tried = new CountDownLatch(1);

	private @Nullable ShardContext context;

	private volatile @Nullable WorkerPool pool;

	private volatile @Nullable QueueShard shard;

	private boolean started;

	private boolean closed;

	private boolean differs;

	/** Creates the host of a shard that is not open. */
	ShardHost(String name, DataSource dataSource, ApplicationContext application, ShardGroup group) {
		this.name = name;
		this.dataSource = dataSource;
		this.application = application;
		this.group = group;
		this.outage = new Outage("Shard " + name, this::renewConnections);
		this.loop = new Loop("rowqueue-shard-" + name, this.outage, INTERVAL, this::turn);
	}

	String name() {
		return this.name;
	}

	/** Begins to use the shard, and returns at once. */
	void open() {
		this.loop.start();
	}

	/** Says once that another data source for the shard is not used. */
	void compare(DataSource given) {
		if (!this.differs && !given.equals(this.dataSource)) {
			this.differs = true;
			logger
				.warn("A ShardSource returns another DataSource for the shard '{}' than before: the queue does not use"
						+ " it. To replace a DataSource, first leave the shard out, until the queue says that it does not"
						+ " use it any more; then return the new one", this.name);
		}
	}

	/** Waits for the first try, and returns whether the shard can be used. */
	boolean awaitOpen(Duration timeout) throws InterruptedException {
		return this.tried.await(timeout.toNanos(), TimeUnit.NANOSECONDS) && this.shard != null;
	}

	private void turn() {
		try {
			refresh();
		}
		finally {
			this.tried.countDown();
		}
	}

	private void refresh() {
		QueueShard known = this.shard;
		if (known == null) {
			DataSourceUtils.releaseConnection(DataSourceUtils.getConnection(this.dataSource), this.dataSource);
			create();
			return;
		}
		known.refresh(this.group.home());
		this.group.refreshed();
	}

	private void create() {
		ShardContext created = new ShardContext(this.name, this.dataSource, this.application, this.outage);
		created.refresh();
		try {
			QueueShard joined = shard(this.name, created);
			joined.refresh(this.group.home());
			use(created, joined);
		}
		catch (RuntimeException ex) {
			created.close();
			throw ex;
		}
	}

	private synchronized void use(ShardContext created, QueueShard joined) {
		if (this.closed) {
			created.close();
			return;
		}
		this.context = created;
		this.pool = created.getBean(WorkerPool.class);
		this.group.add(joined);
		this.shard = joined;
		logger.info("The queue uses the shard '{}'", this.name);
		if (this.started) {
			created.start();
		}
	}

	/**
	 * To a server that is no longer the primary; called by threads that must not wait.
	 */
	private void renewConnections() {
		WorkerPool open = this.pool;
		if (open != null) {
			open.renew();
		}
	}

	/** Returns the shard that a context has the beans of. */
	static QueueShard shard(String name, ApplicationContext context) {
		Outage outage = context.getBean(Outage.class);
		QueueDatabases databases = context.getBean(QueueDatabases.class);
		DataSource application = context.getBean(ApplicationDataSource.class).dataSource();
		return new QueueShard(name,
				new ShardQueue(application, context.getBean(ShardContext.JOB_QUEUE, JobQueue.class),
						new ShardAdmin(context.getBean(JobAdmin.class), context.getBean(JobEditor.class),
								context.getBean(JobSearch.class), context.getBean(QueueOverview.class),
								context.getBean(FlowAdmin.class), context.getBean(JobLimits.class),
								context.getBean(Windows.class), context.getBean(Operations.class)),
						new ShardStore(databases.worker()), new BucketStore(databases.application(), application),
						new HandoverStore(databases.worker(), context.getBean(WorkerPool.class).dataSource()),
						() -> outage.database().isEmpty()));
	}

	/** Returns the beans of the shard, if it is open. */
	synchronized Optional<ApplicationContext> context() {
		return Optional.ofNullable(this.context);
	}

	/** Starts the worker, now or as soon as the shard is open. */
	synchronized void start() {
		this.started = true;
		if (this.context != null) {
			this.context.start();
		}
	}

	/** Stops the worker. */
	void stop() {
		ShardContext running;
		synchronized (this) {
			this.started = false;
			running = this.context;
		}
		if (running != null) {
			running.stop();
		}
	}

	@Override
	public void close() {
		this.loop.stop();
		stop();
		synchronized (this) {
			this.closed = true;
			this.group.remove(this.name);
			if (this.context != null) {
				this.context.close();
			}
		}
	}

}
