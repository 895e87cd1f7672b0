package io.rowqueue.autoconfigure.worker;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

import io.rowqueue.autoconfigure.QueueProperties;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.maintenance.Maintenance;
import io.rowqueue.engine.worker.RunningWorkers;
import io.rowqueue.engine.worker.WorkerHost;
import io.rowqueue.engine.worker.WorkerPhase;
import io.rowqueue.engine.worker.WorkerStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and stops the workers: one, and another one for each lease of types. Each start
 * brings new ones, so that a context that was stopped can be started again. The
 * properties decide at each start: an application that was processed ahead of time has
 * this bean in any case.
 */
public class QueueLifecycle implements WorkerPhase, RunningWorkers {

	private static final Logger logger = LoggerFactory.getLogger(QueueLifecycle.class);

	private final Supplier<HandlerRegistry> handlers;

	private final QueueProperties properties;

	private final boolean enabled;

	private final Function<HandlerRegistry, List<WorkerHost>> workers;

	private final Supplier<Maintenance> maintenances;

	/** Whether the tables cannot be used yet. */
	private final BooleanSupplier pending;

	/** Empty: it does not run. */
	private volatile List<WorkerHost> running = List.of();

	private @Nullable Maintenance maintenance;

	private volatile boolean asleep;

	QueueLifecycle(Supplier<HandlerRegistry> handlers, QueueProperties properties, boolean enabled,
			Function<HandlerRegistry, List<WorkerHost>> workers, Supplier<Maintenance> maintenances,
			BooleanSupplier pending) {
		this.handlers = handlers;
		this.properties = properties;
		this.enabled = enabled;
		this.workers = workers;
		this.maintenances = maintenances;
		this.pending = pending;
	}

	/** Starts the workers, unless their database has not been available yet. */
	@Override
	public synchronized void start() {
		HandlerRegistry registry = this.handlers.get();
		this.asleep = false;
		if (isRunning() || this.pending.getAsBoolean()) {
			return;
		}
		if (!this.enabled || !this.properties.worker().enabled()) {
			logger.info("{}: this process runs no jobs",
					this.enabled ? "rowqueue.worker.enabled is false" : "The job queue is off");
			return;
		}
		if (registry.types().isEmpty()) {
			logger.info("The application has no job handlers: this process enqueues jobs and runs none");
			return;
		}
		if (!this.properties.worker().settings().hasSlots()) {
			logger
				.info("rowqueue.worker.concurrency is 0 and no queue has a concurrency of its own: this process runs no"
						+ " jobs");
			return;
		}
		HandlerRegistry selected = TypeSelection.of(registry, this.properties.worker().types());
		if (selected.types().isEmpty()) {
			logger.info("rowqueue.worker.types excludes all types: this process runs no jobs");
			return;
		}
		List<WorkerHost> hosts = this.workers.apply(selected);
		hosts.forEach(WorkerHost::start);
		this.running = hosts;
		this.maintenance = this.maintenances.get();
		this.maintenance.start();
	}

	/** After the one that stops the workers of all shards at the same time. */
	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE + 1;
	}

	@Override
	public Optional<WorkerStatus> status() {
		return this.running.stream().flatMap((host) -> host.status().stream()).reduce(WorkerStatus::with);
	}

	@Override
	public boolean areAsleep() {
		return this.asleep;
	}

	/** Stops them until the next start. */
	void fallAsleep() {
		this.asleep = true;
		stop();
	}

	@Override
	public synchronized void stop() {
		List<WorkerHost> hosts = this.running;
		Maintenance maintaining = this.maintenance;
		this.running = List.of();
		this.maintenance = null;
		try {
			stop(hosts);
			if (maintaining != null) {
				maintaining.stop();
			}
		}
		catch (InterruptedException ex) {
			logger.warn("The shutdown of the queue was interrupted; other workers will recover its jobs");
			Thread.currentThread().interrupt();
		}
	}

	/** Stops them at the same time: each may take as long as its jobs do. */
	private static void stop(List<WorkerHost> hosts) throws InterruptedException {
		List<Thread> others = new ArrayList<>();
		for (WorkerHost host : hosts.subList(Math.min(1, hosts.size()), hosts.size())) {
			Thread thread = new Thread(() -> stop(host), "rowqueue-stop");
			thread.start();
			others.add(thread);
		}
		if (!hosts.isEmpty()) {
			hosts.get(0).stop();
		}
		for (Thread thread : others) {
			thread.join();
		}
	}

	private static void stop(WorkerHost host) {
		try {
			host.stop();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return !this.running.isEmpty();
	}

}
