package io.pgqueue.autoconfigure.worker;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

import io.pgqueue.autoconfigure.QueueProperties;
import io.pgqueue.engine.handler.HandlerRegistry;
import io.pgqueue.engine.maintenance.Maintenance;
import io.pgqueue.engine.worker.WorkerHost;
import io.pgqueue.engine.worker.WorkerStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and stops the worker. Each start brings a new worker, so that a context that was
 * stopped can be started again. The properties decide at each start: an application that
 * was processed ahead of time has this bean in any case.
 */
public class QueueLifecycle implements WorkerPhase {

	private static final Logger logger = LoggerFactory.getLogger(QueueLifecycle.class);

	private final Supplier<HandlerRegistry> handlers;

	private final QueueProperties properties;

	private final boolean enabled;

	private final Function<HandlerRegistry, WorkerHost> workers;

	private final Supplier<Maintenance> maintenances;

	/** Whether the tables cannot be used yet. */
	private final BooleanSupplier pending;

	private volatile @Nullable WorkerHost worker;

	private @Nullable Maintenance maintenance;

	QueueLifecycle(Supplier<HandlerRegistry> handlers, QueueProperties properties, boolean enabled,
			Function<HandlerRegistry, WorkerHost> workers, Supplier<Maintenance> maintenances,
			BooleanSupplier pending) {
		this.handlers = handlers;
		this.properties = properties;
		this.enabled = enabled;
		this.workers = workers;
		this.maintenances = maintenances;
		this.pending = pending;
	}

	/** Starts the worker, unless its database has not been available yet. */
	@Override
	public synchronized void start() {
		HandlerRegistry registry = this.handlers.get();
		if (this.worker != null || this.pending.getAsBoolean()) {
			return;
		}
		if (!this.enabled || !this.properties.worker().enabled()) {
			logger.info("{}: this process runs no jobs",
					this.enabled ? "pgqueue.worker.enabled is false" : "The job queue is off");
			return;
		}
		if (registry.types().isEmpty()) {
			logger.info("The application has no job handlers: this process enqueues jobs and runs none");
			return;
		}
		if (!this.properties.worker().settings().hasSlots()) {
			logger
				.info("pgqueue.worker.concurrency is 0 and no queue has a concurrency of its own: this process runs no"
						+ " jobs");
			return;
		}
		HandlerRegistry selected = TypeSelection.of(registry, this.properties.worker().types());
		if (selected.types().isEmpty()) {
			logger.info("pgqueue.worker.types excludes all types: this process runs no jobs");
			return;
		}
		this.worker = this.workers.apply(selected);
		this.worker.start();
		this.maintenance = this.maintenances.get();
		this.maintenance.start();
	}

	/** Returns the status of the worker, without waiting for a start or stop. */
	public Optional<WorkerStatus> status() {
		return Optional.ofNullable(this.worker).flatMap(WorkerHost::status);
	}

	@Override
	public synchronized void stop() {
		WorkerHost running = this.worker;
		Maintenance maintaining = this.maintenance;
		this.worker = null;
		this.maintenance = null;
		try {
			if (running != null) {
				running.stop();
			}
			if (maintaining != null) {
				maintaining.stop();
			}
		}
		catch (InterruptedException ex) {
			logger.warn("The shutdown of the queue was interrupted; other workers will recover its jobs");
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.worker != null;
	}

}
