package io.rowqueue.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.rowqueue.HandlerOptions;
import io.rowqueue.JobHandlers;
import io.rowqueue.JobHandlers.Handler;
import io.rowqueue.JobQueue;
import io.rowqueue.RetryPolicy;
import io.rowqueue.engine.attempt.WorkerHooks;
import io.rowqueue.engine.database.JobTransactions;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.StatementTimeouts;
import io.rowqueue.engine.database.WorkerDataSource;
import io.rowqueue.engine.enqueue.Carriage;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.history.RetainTask;
import io.rowqueue.engine.history.Retention;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.lease.ReservedSlot;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.maintenance.AdmitTask;
import io.rowqueue.engine.maintenance.Maintenance;
import io.rowqueue.engine.maintenance.MaintenanceStore;
import io.rowqueue.engine.maintenance.PromoteTask;
import io.rowqueue.engine.maintenance.Task;
import io.rowqueue.engine.recovery.LeaseCheckStore;
import io.rowqueue.engine.recovery.LeaseCheckTask;
import io.rowqueue.engine.recovery.RecoverTask;
import io.rowqueue.engine.recovery.RecoveryRules;
import io.rowqueue.engine.recovery.RecoveryStore;
import io.rowqueue.engine.slot.PoolFactory;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.wakeup.JobEndings;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.engine.worker.ListenerSettings;
import io.rowqueue.engine.worker.NotificationStatus;
import io.rowqueue.engine.worker.WorkerHost;
import io.rowqueue.engine.worker.WorkerPart;
import io.rowqueue.engine.worker.WorkerParts;
import io.rowqueue.engine.worker.WorkerSettings;
import io.rowqueue.engine.worker.WorkerStatus;
import io.rowqueue.engine.worker.WorkerStatus.PoolStatus;
import io.rowqueue.schema.SchemaName;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/**
 * What one process of an application has of the engine: connections of its own, a worker,
 * and maintenance if the test wants it.
 */
public final class TestProcess implements AutoCloseable {

	private final Engine engine;

	private final HikariDataSource pool;

	private final WakeUps wakeUps;

	private final JobQueue queue;

	private final CountedSlots slots;

	private final WorkerHost host;

	private final @Nullable Maintenance maintenance;

	private final Runnable killed;

	private final AtomicBoolean stopped = new AtomicBoolean();

	private TestProcess(Builder builder) {
		this.engine = builder.engine;
		this.killed = builder.killed;
		this.pool = this.engine.pool(8, new WorkerDataSource(
				(builder.target != null) ? builder.target : this.engine.sessions(), false, null, builder.limits));
		this.pool.setConnectionTimeout(builder.connectionTimeout.toMillis());
		JdbcTemplate jdbc = new JdbcTemplate(this.pool);
		SchemaName schema = SchemaName.DEFAULT;
		DataSource application = (builder.application != null) ? builder.application : this.pool;
		Stores store = new Stores(new JdbcTemplate(application), jdbc, schema, KeptJobs.ALL, builder.hooks.store());
		QueueDatabase database = new QueueDatabase(jdbc, schema);
		MaintenanceStore maintaining = new MaintenanceStore(database);
		WorkerSettings settings = builder.settings();
		this.wakeUps = this.engine.onClose(store.wakeUps());
		JobEndings endings = new JobEndings();
		DirectStart directStart = builder.directStart;
		this.slots = new CountedSlots(directStart);
		this.queue = store.queue(application, this.wakeUps, endings, this.slots.directStart(),
				builder.carriage.apply(store.databases().application()));
		Outage outage = new Outage("", () -> this.pool.getHikariPoolMXBean().softEvictConnections());
		HandlerRegistry handlers = HandlerRegistry.builder(Engine.CODEC)
			.add((registry) -> builder.registrars.forEach((each) -> each.register(registry)), "test")
			.build();
		this.host = new WorkerHost(
				new WorkerParts(store.databases(), store.caller(), store.kept(), this.pool, builder.listener,
						this.wakeUps, endings, handlers, builder.retryPolicy,
						new JobTransactions(new JdbcTransactionManager(application), application), builder.threads,
						settings, builder.hooks, builder.labels, directStart, builder.part.create(database, this.pool)),
				outage, PoolFactory.OWN, "");
		List<Task> tasks = new ArrayList<>(List.of(new PromoteTask(maintaining, this.wakeUps),
				new AdmitTask(this.wakeUps.admission()),
				new RecoverTask(new RecoveryStore(database, StoreListener.NONE), this.wakeUps,
						RecoveryRules.attempts(settings.maxAttempts())),
				new LeaseCheckTask(new LeaseCheckStore(database)), new RetainTask(database, Retention.DEFAULT, () -> {
				})));
		builder.tasks.forEach((each) -> tasks.add(each.apply(database, this.wakeUps)));
		this.maintenance = builder.maintenance
				? new Maintenance(maintaining, outage, tasks, this.wakeUps, settings.idleInterval()) : null;
	}

	public JobQueue queue() {
		return this.queue;
	}

	/** Returns as soon as a slot is idle and its worker knows of no job that waits. */
	public void awaitIdleSlot(String queue, String type) {
		Awaitility.await().atMost(Engine.PATIENCE).until(() -> hasIdleSlot(queue, type));
	}

	public boolean hasIdleSlot(String queue, String type) {
		return idleSlots(queue, type) > 0;
	}

	/**
	 * Returns how many slots are idle; 0 also if its worker knows of a job that waits.
	 */
	public int idleSlots(String queue, String type) {
		List<ReservedSlot> reserved = new ArrayList<>();
		for (ReservedSlot slot = this.slots.reserve(queue, type); slot != null; slot = this.slots.reserve(queue,
				type)) {
			reserved.add(slot);
		}
		reserved.forEach(ReservedSlot::release);
		return reserved.size();
	}

	/** The reservations that were neither used nor released. */
	public int reservations() {
		return this.slots.reservations();
	}

	public WakeUps wakeUps() {
		return this.wakeUps;
	}

	/** Whether notifications arrive at its worker. */
	public NotificationStatus notifications() {
		return this.host.status().map(WorkerStatus::notifications).orElse(NotificationStatus.OFF);
	}

	/** How long ago the database last took a heartbeat of its worker. */
	public Duration heartbeatAge() {
		return this.host.status().map(WorkerStatus::heartbeatAge).orElse(Duration.ZERO);
	}

	/** How many jobs its worker runs at once. */
	public int slots() {
		return this.host.status().map((status) -> status.pools().stream().mapToInt(PoolStatus::slots).sum()).orElse(0);
	}

	/** How many jobs its worker holds that wait for a slot. */
	public int prefetched() {
		return this.host.status()
			.map((status) -> status.pools().stream().mapToInt(PoolStatus::prefetched).sum())
			.orElse(0);
	}

	/**
	 * Sees to it that nothing reaches the database or the broker any more, as when the
	 * process died.
	 */
	public void loseDatabase() {
		this.pool.close();
		this.killed.run();
	}

	/** Returns when the worker and the maintenance have ended. */
	public void stop() {
		if (!this.stopped.compareAndSet(false, true)) {
			return;
		}
		try {
			this.host.stop();
			if (this.maintenance != null) {
				this.maintenance.stop();
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		stop();
	}

	private TestProcess start() {
		this.host.start();
		if (this.maintenance != null) {
			this.maintenance.start();
		}
		return this.engine.onClose(this);
	}

	/** Creates a part of a worker. */
	@FunctionalInterface
	public interface PartOfAProcess {

		WorkerPart.Factory create(QueueDatabase database, HikariDataSource pool);

	}

	/** Describes a process. */
	public static final class Builder {

		private final Engine engine;

		private final List<JobHandlers.Registrar> registrars = new ArrayList<>();

		private final Map<String, Integer> queues = new HashMap<>();

		private final Set<String> labels = new HashSet<>();

		private final List<BiFunction<QueueDatabase, WakeUps, Task>> tasks = new ArrayList<>();

		private @Nullable DataSource application;

		private @Nullable DataSource target;

		private Duration connectionTimeout = Engine.PATIENCE;

		private StatementTimeouts limits = StatementTimeouts.DEFAULT;

		private ListenerSettings listener = ListenerSettings.DEFAULT;

		private int concurrency = 4;

		private int prefetch = 100;

		private Duration prefetchWait = WorkerSettings.DEFAULT_PREFETCH_WAIT;

		private int maxAttempts = 3;

		private Duration pollInterval = Duration.ofMillis(200);

		/** Never idle: tests count the slots that it offers. */
		private Duration idleInterval = Duration.ZERO;

		private Duration shutdownTimeout = Duration.ofSeconds(10);

		private RetryPolicy retryPolicy = (job, error) -> Duration.ZERO;

		private ThreadFactory threads = Executors.defaultThreadFactory();

		/**
		 * Long enough for a machine that is busy; a test that waits for its end sets it.
		 */
		private Duration lease = Engine.PATIENCE;

		private boolean maintenance;

		private @Nullable Duration aging;

		private WorkerHooks hooks = WorkerHooks.NONE;

		private DirectStart directStart = DirectStart.NONE;

		private Function<QueueDatabase, Carriage> carriage = (database) -> Carriage.NONE;

		private PartOfAProcess part = (database, pool) -> WorkerPart.Factory.NONE;

		private Runnable killed = () -> {
		};

		Builder(Engine engine) {
			this.engine = engine;
		}

		public Builder handle(String type, Handler<String> handler) {
			return handle(type, String.class, handler);
		}

		public <P> Builder handle(String type, Class<P> payloadType, Handler<P> handler) {
			this.registrars.add((registry) -> registry.add(type, payloadType, handler));
			return this;
		}

		public Builder handle(String type, HandlerOptions options, Handler<String> handler) {
			this.registrars.add((registry) -> registry.add(type, String.class, options, handler));
			return this;
		}

		public Builder register(JobHandlers.Registrar registrar) {
			this.registrars.add(registrar);
			return this;
		}

		/** A handler whose writes over {@link #application} end with its job. */
		public Builder handleInTransaction(String type, Handler<String> handler) {
			return register(
					(registry) -> registry.add(type, String.class, HandlerOptions.NONE.transactional(true), handler));
		}

		/**
		 * Where the application's own transactions take place; the worker's otherwise.
		 */
		public Builder application(DataSource application) {
			this.application = application;
			return this;
		}

		/** What the process enqueues starts at the commit if a slot is idle. */
		public Builder directStart() {
			return directStart(new DirectStart());
		}

		/** What others enqueue that have this starts at the commit if a slot is idle. */
		public Builder directStart(DirectStart offered) {
			this.directStart = offered;
			return this;
		}

		/** Where the worker's own connections lead. */
		public Builder through(DataSource target) {
			this.target = target;
			return this;
		}

		/**
		 * Waits for no connection for long: the database will be away, or the process
		 * dies, and whoever waits then for a connection of its pool waits for the whole
		 * timeout.
		 */
		public Builder failingSoon() {
			this.connectionTimeout = Duration.ofSeconds(2);
			return this;
		}

		public Builder limits(StatementTimeouts limits) {
			this.limits = limits;
			return this;
		}

		public Builder listener(ListenerSettings listener) {
			this.listener = listener;
			return this;
		}

		public Builder concurrency(int concurrency) {
			this.concurrency = concurrency;
			return this;
		}

		public Builder concurrency(String queue, int slots) {
			this.queues.put(queue, slots);
			return this;
		}

		public Builder prefetch(int prefetch) {
			this.prefetch = prefetch;
			return this;
		}

		public Builder prefetchWait(Duration prefetchWait) {
			this.prefetchWait = prefetchWait;
			return this;
		}

		public Builder maxAttempts(int maxAttempts) {
			this.maxAttempts = maxAttempts;
			return this;
		}

		public Builder idleInterval(Duration idleInterval) {
			this.idleInterval = idleInterval;
			return this;
		}

		public Builder pollInterval(Duration pollInterval) {
			this.pollInterval = pollInterval;
			return this;
		}

		/** The worker looks once when it starts, and then only when it is woken. */
		public Builder withoutPolling() {
			return pollInterval(Duration.ofDays(1));
		}

		public Builder lease(Duration lease) {
			this.lease = lease;
			return this;
		}

		public Builder shutdownTimeout(Duration shutdownTimeout) {
			this.shutdownTimeout = shutdownTimeout;
			return this;
		}

		public Builder retry(RetryPolicy retryPolicy) {
			this.retryPolicy = retryPolicy;
			return this;
		}

		public Builder threads(ThreadFactory threads) {
			this.threads = threads;
			return this;
		}

		public Builder aging(Duration aging) {
			this.aging = aging;
			return this;
		}

		/** Lets another fixture add what it needs. */
		public Builder with(UnaryOperator<Builder> addition) {
			return addition.apply(this);
		}

		/** What carries some of the jobs that the process enqueues. */
		public Builder carriage(Function<QueueDatabase, Carriage> carriage) {
			this.carriage = carriage;
			return this;
		}

		/**
		 * A part that takes part in the worker.
		 * @param killed what happens to it when the process dies
		 */
		public Builder part(PartOfAProcess part, Runnable killed) {
			this.part = part;
			this.killed = killed;
			return this;
		}

		/** What its maintenance does besides that of the core. */
		public Builder task(BiFunction<QueueDatabase, WakeUps, Task> task) {
			this.tasks.add(task);
			return this;
		}

		/** What its worker declares besides its types. */
		public Builder labels(Collection<String> labels) {
			this.labels.addAll(labels);
			return this;
		}

		public Builder hooks(WorkerHooks hooks) {
			this.hooks = hooks;
			return this;
		}

		public Builder withMaintenance() {
			this.maintenance = true;
			return this;
		}

		private WorkerSettings settings() {
			return new WorkerSettings(this.concurrency, this.queues, this.prefetch, this.prefetchWait, this.maxAttempts,
					this.pollInterval, this.idleInterval, this.lease, this.shutdownTimeout, this.aging,
					WorkerSettings.DEFAULT_MAX_PAYLOAD_SIZE);
		}

		public TestProcess start() {
			return new TestProcess(this).start();
		}

		/** Creates a process that only enqueues. */
		public TestProcess client() {
			return this.engine.onClose(new TestProcess(this));
		}

		/** Starts it and waits until its worker is registered and listens. */
		public TestProcess startAndListen() {
			long before = this.engine.count("worker where session_locked");
			TestProcess process = start();
			Awaitility.await("worker listens").until(() -> this.engine.count("worker where session_locked") > before);
			return process;
		}

	}

}
