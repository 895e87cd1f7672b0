package io.rowqueue.autoconfigure.shard;

import java.util.List;

import io.rowqueue.autoconfigure.QueueDatabases;
import io.rowqueue.autoconfigure.QueueProperties;
import io.rowqueue.autoconfigure.connection.WorkerConnections;
import io.rowqueue.autoconfigure.handler.HandlerRegistryFactory;
import io.rowqueue.autoconfigure.worker.RetentionsAtStart;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.history.RetainTask;
import io.rowqueue.engine.maintenance.Maintenance;
import io.rowqueue.engine.maintenance.MaintenanceStore;
import io.rowqueue.engine.outbox.OutboxStore;
import io.rowqueue.engine.outbox.Relay;
import io.rowqueue.engine.shard.OutboxCleanupTask;
import io.rowqueue.engine.support.BrokerOutage;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.transport.JobTransport;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;

/**
 * What takes the place of the worker in an outbox: it has new jobs handed over to the
 * other shards, publishes those that a broker carries, and deletes what they have left
 * behind, and those that were cancelled in it.
 */
final class OutboxHost implements AutoCloseable {

	private final WakeUps.Registration registration;

	private final @Nullable Relay relay;

	private final Maintenance maintenance;

	/**
	 * Starts it.
	 * @param context the beans of the shard
	 * @param handOver called when there are new jobs; returns at once
	 */
	OutboxHost(ApplicationContext context, Runnable handOver) {
		WakeUps wakeUps = context.getBean(WakeUps.class);
		JobTransport transport = context.getBeanProvider(JobTransport.class).getIfAvailable();
		this.relay = (transport != null) ? relay(context, transport, wakeUps) : null;
		if (this.relay != null) {
			this.relay.start();
		}
		QueueDatabase database = context.getBean(QueueDatabases.class).worker();
		this.maintenance = new Maintenance(new MaintenanceStore(database), context.getBean(Outage.class),
				List.of(new OutboxCleanupTask(database), retain(context, database)));
		this.maintenance.start();
		this.registration = wakeUps.listen((arrivals) -> arrived(arrivals, handOver));
		handOver.run();
	}

	/**
	 * Jobs that were cancelled before they were handed over have finished here. A process
	 * without a worker declares no retentions of types.
	 */
	private static RetainTask retain(ApplicationContext context, QueueDatabase database) {
		RetentionsAtStart types = context.getBeanProvider(RetentionsAtStart.class).getIfAvailable();
		if (types != null) {
			types.write(context.getBean(HandlerRegistryFactory.class).get());
		}
		return new RetainTask(database, context.getBean(QueueProperties.class).retention().retention(), () -> {
			if (types != null) {
				types.writeMissing();
			}
		});
	}

	private static Relay relay(ApplicationContext context, JobTransport transport, WakeUps wakeUps) {
		OutboxStore store = new OutboxStore(context.getBean(QueueDatabases.class).worker(),
				context.getBean(WorkerConnections.class).dataSource());
		return new Relay(store, transport, wakeUps, new BrokerOutage(transport.name()), context.getBean(Outage.class));
	}

	private void arrived(Arrivals arrivals, Runnable handOver) {
		if (this.relay != null && arrivals.outbox()) {
			this.relay.wake();
		}
		if (arrivals.limited() || !arrivals.queues().isEmpty()) {
			handOver.run();
		}
	}

	@Override
	public void close() {
		this.registration.close();
		try {
			if (this.relay != null) {
				this.relay.close();
			}
			this.maintenance.stop();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
