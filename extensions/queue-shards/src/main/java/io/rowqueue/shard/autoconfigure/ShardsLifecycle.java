package io.rowqueue.shard.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.rowqueue.engine.control.DeclaredLimits;
import io.rowqueue.engine.database.PendingTables;
import io.rowqueue.engine.shard.ShardGroup;
import io.rowqueue.engine.support.Loop;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.worker.RunningWorkers;
import io.rowqueue.engine.worker.WorkerPhase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationContext;

/**
 * Opens the shards when the beans of the application have been created, so that jobs can
 * be enqueued in them, and starts and stops their workers with that of the home shard.
 * Looks for shards that come and go.
 */
final class ShardsLifecycle implements SmartInitializingSingleton, WorkerPhase, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(ShardsLifecycle.class);

	/** How often shards are looked for that come and go. */
	private static final Duration INTERVAL = Duration.ofSeconds(30);

	/** How long the start of the application waits for shards. */
	private static final Duration START = Duration.ofSeconds(10);

	private final ShardDataSources dataSources;

	private final ShardGroup group;

	private final ApplicationContext application;

	private final PendingTables homeTables;

	private final DeclaredLimits homeLimits;

	private final ObjectProvider<RunningWorkers> homeWorker;

	private final Map<String, ShardHost> hosts = new LinkedHashMap<>();

	private final CountDownLatch homeKnown = new CountDownLatch(1);

	private final Loop loop;

	private final ResumedMoves moving;

	/** The home shard was not available, and its worker has not started since. */
	private boolean homeAway;

	private boolean started;

	private boolean destroyed;

	ShardsLifecycle(ShardDataSources dataSources, ShardGroup group, ApplicationContext application,
			PendingTables homeTables, DeclaredLimits homeLimits, ObjectProvider<RunningWorkers> homeWorker,
			Outage outage) {
		this.dataSources = dataSources;
		this.group = group;
		this.application = application;
		this.homeTables = homeTables;
		this.homeLimits = homeLimits;
		this.homeWorker = homeWorker;
		this.loop = new Loop(PendingTables.HOME_LOOP, outage, INTERVAL, this::turn);
		this.moving = new ResumedMoves(group);
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.loop.start();
		this.moving.start();
		try {
			awaitFirst();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** A shard that is not available must not prevent the start of the application. */
	private void awaitFirst() throws InterruptedException {
		long deadline = System.nanoTime() + START.toNanos();
		boolean known = this.homeKnown.await(START.toNanos(), TimeUnit.NANOSECONDS);
		for (ShardHost host : known ? hosts() : List.<ShardHost>of()) {
			if (!host.awaitOpen(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())))) {
				logger.warn("The shard '{}' cannot be used yet; the application starts without it. A line of the log"
						+ " that begins with \"Shard {}:\" names the reason", host.name(), host.name());
			}
		}
	}

	/** Asks for new shards at once. */
	void refresh() {
		this.loop.wake();
	}

	private void turn() {
		this.homeAway |= this.homeTables.isPending();
		if (this.homeAway) { // to try it again may take long, and the others do not need
								// it
			useOthers();
		}
		try {
			this.homeTables.initializePending();
			this.group.home().refresh(this.group.home());
			this.group.refreshed();
			if (this.homeAway) {
				startHome();
				this.homeAway = false;
			}
		}
		finally {
			useOthers();
		}
	}

	/** Does what the start of the application could not do. */
	private void startHome() {
		this.homeLimits.write();
		logger.info("The home shard '{}' is available: the queue uses it", this.group.home().name());
		synchronized (this.hosts) {
			if (this.started) {
				this.homeWorker.ifAvailable(RunningWorkers::start);
			}
		}
	}

	private void useOthers() {
		use(this.dataSources.others());
		this.homeKnown.countDown();
	}

	private void use(Map<String, DataSource> dataSources) {
		List<ShardHost> gone = new ArrayList<>();
		synchronized (this.hosts) {
			if (this.destroyed) {
				return;
			}
			this.hosts.values().removeIf((host) -> {
				boolean missing = !dataSources.containsKey(host.name());
				return missing && gone.add(host);
			});
			this.hosts.forEach((name, host) -> host.compare(Objects.requireNonNull(dataSources.get(name))));
			dataSources
				.forEach((name, dataSource) -> this.hosts.computeIfAbsent(name, (added) -> open(name, dataSource)));
		}
		gone.forEach((host) -> {
			logger.info("The queue does not use the shard '{}' any more", host.name());
			host.close();
		});
	}

	private ShardHost open(String name, DataSource dataSource) {
		ShardHost host = new ShardHost(name, dataSource, this.application, this.group);
		if (this.started) {
			host.start();
		}
		host.open();
		return host;
	}

	/** Returns the shards besides the home shard, open or not. */
	List<ShardHost> hosts() {
		synchronized (this.hosts) {
			return List.copyOf(this.hosts.values());
		}
	}

	@Override
	public void start() {
		synchronized (this.hosts) {
			this.started = true;
			this.homeWorker.ifAvailable(RunningWorkers::start);
			this.hosts.values().forEach(ShardHost::start);
		}
	}

	@Override
	public void stop() {
		synchronized (this.hosts) {
			this.started = false;
		}
		List<Thread> stopping = Stream
			.concat(this.homeWorker.stream().map((home) -> (Runnable) home::stop),
					hosts().stream().map((host) -> (Runnable) host::stop))
			.map((stop) -> new Thread(stop, "rowqueue-shutdown"))
			.toList();
		stopping.forEach(Thread::start);
		try {
			for (Thread each : stopping) {
				each.join();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public boolean isRunning() {
		synchronized (this.hosts) {
			return this.started;
		}
	}

	@Override
	public void destroy() {
		this.loop.stop();
		this.moving.stop();
		synchronized (this.hosts) {
			this.destroyed = true;
		}
		hosts().forEach(ShardHost::close);
	}

}
