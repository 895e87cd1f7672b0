package io.rowqueue.engine.worker;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;

import io.rowqueue.engine.attempt.TypeOptions;
import io.rowqueue.engine.slot.PoolFactory;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.engine.support.Loop;
import io.rowqueue.engine.support.Outage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one worker alive in this process from start to stop: it waits for a database that
 * is away, and registers a new worker when the others have given the old one up.
 */
public final class WorkerHost {

	private static final Logger logger = LoggerFactory.getLogger(WorkerHost.class);

	private final WorkerParts parts;

	private final WorkerStore workers;

	private final Outage outage;

	private final PoolFactory pools;

	/** Follows the names of its threads. */
	private final String suffix;

	private final Loop loop;

	private volatile @Nullable Worker worker;

	/**
	 * Slots that were changed at run time stay changed for as long as the process runs.
	 */
	private WorkerSettings settings;

	/**
	 * Whether the next worker claims no jobs, since one was quiet that has been fenced.
	 */
	private boolean quiet;

	/**
	 * Creates the host of one of several workers.
	 * @param parts what its workers are made of
	 * @param outage notified of failures and successes
	 * @param pools creates the pools of its workers
	 * @param suffix follows the names of its threads, by which they report to the outage:
	 * no other worker that reports to it has the same
	 */
	public WorkerHost(WorkerParts parts, Outage outage, PoolFactory pools, String suffix) {
		this.parts = parts;
		this.workers = new WorkerStore(parts.databases().worker());
		this.pools = pools;
		this.settings = parts.settings();
		this.outage = outage;
		this.suffix = suffix;
		this.loop = new Loop("rowqueue-worker" + suffix, outage, this::turn);
	}

	/** Starts the worker and returns at once; the process stays until it is stopped. */
	public void start() {
		this.loop.startAndStay();
	}

	/**
	 * Stops the worker: running jobs may finish within the shutdown timeout, all others
	 * are released.
	 * @throws InterruptedException if the calling thread is interrupted
	 */
	public void stop() throws InterruptedException {
		Worker running = end();
		if (running != null) {
			running.stop();
		}
		this.loop.join(Duration.ofSeconds(1));
	}

	/**
	 * What the worker is doing.
	 * @return nothing before it is registered and after it was stopped
	 */
	public synchronized Optional<WorkerStatus> status() {
		return this.loop.isStopped() ? Optional.empty() : Optional.ofNullable(this.worker).map(Worker::status);
	}

	private void turn() throws InterruptedException {
		Pools pools = pools(this.settings);
		pools.each((pool) -> pool.quiet(this.quiet));
		try {
			register(this.settings, pools);
		}
		finally {
			pools.leave();
			this.settings = this.settings.withSlots(pools.slots());
		}
	}

	private Pools pools(WorkerSettings settings) {
		return this.pools.create(settings.concurrency(), settings.queues(), settings.prefetch(),
				() -> this.outage.database().isEmpty(), this::reconsider);
	}

	private void register(WorkerSettings settings, Pools pools) throws InterruptedException {
		TypeOptions types = new TypeOptions(this.parts.handlers(), settings.maxAttempts());
		long id = this.workers
			.register(new WorkerIdentity(name(), pools.queues(), this.parts.handlers().types(), types.maxAttempts(),
					pools.slots(), types.concurrency(), this.parts.declarations(), settings.lease(), this.quiet));
		this.outage.over(Thread.currentThread().getName());
		Worker registered = begin(new Worker(id, this.parts, pools, this.outage, this.suffix));
		if (registered == null) {
			this.workers.unregister(id);
			return;
		}
		boolean fenced = registered.run();
		this.quiet = fenced && pools.isQuiet();
	}

	private synchronized @Nullable Worker begin(Worker registered) {
		if (this.loop.isStopped()) {
			return null;
		}
		this.worker = registered;
		return registered;
	}

	private synchronized @Nullable Worker end() {
		this.loop.stop();
		return this.worker;
	}

	/** Called by threads of other workers, and must not wait. */
	private void reconsider() {
		@Nullable Worker running = this.worker;
		if (running != null) {
			running.reconsider();
		}
	}

	/** For people only: nothing depends on the name of a worker. */
	private static String name() {
		long process = ProcessHandle.current().pid();
		try {
			return InetAddress.getLocalHost().getHostName() + ":" + process;
		}
		catch (UnknownHostException ex) {
			logger.debug("This host has no name", ex);
			return "process " + process;
		}
	}

}
