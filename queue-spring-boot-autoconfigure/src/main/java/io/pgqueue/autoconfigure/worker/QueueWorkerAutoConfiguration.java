package io.pgqueue.autoconfigure.worker;

import java.util.Set;
import java.util.TreeSet;

import io.pgqueue.RetryPolicy;
import io.pgqueue.admin.masking.StoredTextMasker;
import io.pgqueue.autoconfigure.ApplicationDataSource;
import io.pgqueue.autoconfigure.QueueAutoConfiguration;
import io.pgqueue.autoconfigure.QueueDatabases;
import io.pgqueue.autoconfigure.QueueProperties;
import io.pgqueue.autoconfigure.ShardName;
import io.pgqueue.autoconfigure.connection.WorkerConnections;
import io.pgqueue.autoconfigure.handler.HandlerRegistryFactory;
import io.pgqueue.autoconfigure.schema.QueueSchemaInitializer;
import io.pgqueue.engine.attempt.WorkerHooks;
import io.pgqueue.engine.database.JoinedTransaction;
import io.pgqueue.engine.history.TypeRetentionStore;
import io.pgqueue.engine.lease.DirectStart;
import io.pgqueue.engine.lease.KeptJobs;
import io.pgqueue.engine.listen.JobListeners;
import io.pgqueue.engine.listen.StoreListener;
import io.pgqueue.engine.maintenance.Maintenance;
import io.pgqueue.engine.maintenance.MaintenanceStore;
import io.pgqueue.engine.maintenance.Task;
import io.pgqueue.engine.slot.SharedSlots;
import io.pgqueue.engine.support.Outage;
import io.pgqueue.engine.transport.TransportParts;
import io.pgqueue.engine.wakeup.JobEndings;
import io.pgqueue.engine.wakeup.WakeUps;
import io.pgqueue.engine.window.DeclaredWindows;
import io.pgqueue.engine.window.WindowStore;
import io.pgqueue.engine.worker.WorkerHost;
import io.pgqueue.engine.worker.WorkerStore;
import io.pgqueue.engine.worker.WorkerStores;
import io.pgqueue.listen.AttemptScope;
import io.pgqueue.listen.JobInterceptor;
import io.pgqueue.listen.JobListener;
import io.pgqueue.transport.JobTransport;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Auto-configuration of the worker, which runs jobs in this process, and starts the
 * maintenance that workers share.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "pgqueue.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "pgqueue.worker.enabled", matchIfMissing = true)
public final class QueueWorkerAutoConfiguration {

	@Bean
	WorkerStore pgqueueWorkerStore(QueueDatabases databases, ObjectProvider<StoreListener> listener) {
		return new WorkerStore(databases.worker(), listener.getIfAvailable(() -> StoreListener.NONE));
	}

	@Bean
	MaintenanceStore pgqueueMaintenanceStore(QueueDatabases databases) {
		return new MaintenanceStore(databases.worker());
	}

	@Bean
	WorkerDatabase pgqueueWorkerDatabase(QueueDatabases databases, ApplicationDataSource application,
			QueueProperties properties, ObjectProvider<StoreListener> listener, WorkerStore workers,
			WorkerConnections connections, WakeUps wakeUps, JobEndings endings, ObjectProvider<JobTransport> transport,
			ObjectProvider<ShardName> shard) {
		WorkerStores stores = new WorkerStores(databases.application(), databases.worker(),
				properties.retention().retention().keptJobs(), new JoinedTransaction(application.dataSource()),
				listener.getIfAvailable(() -> StoreListener.NONE));
		return new WorkerDatabase(stores, workers, connections, wakeUps, endings,
				parts(transport.getIfAvailable(), databases, connections, shard.getIfAvailable()));
	}

	private static @Nullable TransportParts parts(@Nullable JobTransport transport, QueueDatabases databases,
			WorkerConnections connections, @Nullable ShardName shard) {
		return (transport != null) ? new TransportParts(transport, databases.worker(), connections.dataSource(),
				shard == null || shard.home()) : null;
	}

	@Bean
	HandlerTransactions pgqueueHandlerTransactions(ApplicationDataSource application,
			ObjectProvider<PlatformTransactionManager> managers, ObjectProvider<ShardTransactions> shard) {
		return new HandlerTransactions(application.dataSource(), managers, shard.getIfAvailable());
	}

	/** Created when the worker starts: hooks may need beans that need the worker. */
	@Bean
	@Lazy
	WorkerHooks pgqueueWorkerHooks(ObjectProvider<AttemptScope> scopes, ObjectProvider<JobInterceptor> interceptors,
			ObjectProvider<JobListener> listeners, ObjectProvider<StoreListener> storeListener,
			ObjectProvider<StoredTextMasker> masker) {
		return new WorkerHooks(scopes.orderedStream().toList(), interceptors.orderedStream().toList(),
				JobListeners.of(listeners.orderedStream().toList()),
				storeListener.getIfAvailable(() -> StoreListener.NONE),
				masker.getIfAvailable(() -> StoredTextMasker.NONE));
	}

	@Bean
	WindowsAtStart pgqueueWindowsAtStart(QueueDatabases databases, QueueProperties properties) {
		return new WindowsAtStart(new WindowStore(databases.worker()), properties.windowList());
	}

	@Bean
	RetentionsAtStart pgqueueRetentionsAtStart(QueueDatabases databases, HandlerRegistryFactory handlers) {
		return new RetentionsAtStart(new TypeRetentionStore(databases.worker()), handlers);
	}

	@Bean
	WorkerFactory pgqueueWorkerFactory(QueueProperties properties, Environment environment, WorkerDatabase database,
			HandlerTransactions transactions, ObjectProvider<RetryPolicy> retryPolicy,
			ObjectProvider<WorkerHooks> hooks, HandlerRegistryFactory handlers, WindowsAtStart windows,
			RetentionsAtStart retentions, DirectStart directStart) {
		return new WorkerFactory(properties, environment, database, transactions,
				retryPolicy.getIfAvailable(properties.retry()::policy), hooks::getObject, () -> {
					retentions.write(handlers.get());
					return declarations(handlers, windows.write(handlers.get()),
							properties.retention().retention().keptJobs());
				}, directStart);
	}

	private static Set<String> declarations(HandlerRegistryFactory handlers, DeclaredWindows windows, KeptJobs kept) {
		Set<String> labels = new TreeSet<>(handlers.schedules().labels());
		labels.addAll(windows.labels());
		if (!kept.all()) {
			labels.add(KeptJobs.PARTIAL);
		}
		return labels;
	}

	@Bean
	QueueLifecycle pgqueueLifecycle(QueueProperties properties, Environment environment,
			ApplicationDataSource application, HandlerRegistryFactory handlers, WorkerFactory workers,
			MaintenanceStore maintenance, ObjectProvider<Task> tasks, Outage outage, ObjectProvider<SharedSlots> slots,
			QueueSchemaInitializer schema) {
		ShutdownCheck.warnIfCutShort(properties.worker().settings().shutdownTimeout(), environment);
		return new QueueLifecycle(handlers, properties, application.enabled(),
				(registry) -> workers.shares(registry)
					.stream()
					.map((share) -> new WorkerHost(workers.parts(share), outage, share.slots(slots.getIfAvailable()),
							share.suffix()))
					.toList(),
				() -> new Maintenance(maintenance, outage, tasks.orderedStream().toList()), schema::isPending);
	}

	@Bean
	JobMdc pgqueueJobMdc() {
		return new JobMdc();
	}

	@Bean
	JobEvents pgqueueJobEvents(ApplicationEventPublisher publisher) {
		return new JobEvents(publisher);
	}

	/**
	 * No bean depends on the worker: lazy initialization would not start it.
	 */
	@Bean
	static LazyInitializationExcludeFilter pgqueueLazyInitializationExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(QueueLifecycle.class);
	}

}
