package io.rowqueue.autoconfigure.worker;

import java.util.Set;
import java.util.TreeSet;

import io.rowqueue.RetryPolicy;
import io.rowqueue.autoconfigure.QueueAutoConfiguration;
import io.rowqueue.autoconfigure.QueueProperties;
import io.rowqueue.autoconfigure.connection.WorkerConnections;
import io.rowqueue.autoconfigure.handler.HandlerRegistryFactory;
import io.rowqueue.autoconfigure.schema.QueueSchemaInitializer;
import io.rowqueue.engine.attempt.WorkerHooks;
import io.rowqueue.engine.database.ApplicationDataSource;
import io.rowqueue.engine.database.JoinedTransaction;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.database.ShardName;
import io.rowqueue.engine.database.ShardTransactions;
import io.rowqueue.engine.enqueue.Carriage;
import io.rowqueue.engine.history.TypeRetentionStore;
import io.rowqueue.engine.job.JobWindows;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.listen.JobListeners;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.maintenance.Maintenance;
import io.rowqueue.engine.maintenance.MaintenanceStore;
import io.rowqueue.engine.maintenance.Task;
import io.rowqueue.engine.slot.PoolFactory;
import io.rowqueue.engine.support.AwakeOnly;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.wakeup.JobEndings;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.engine.worker.DeclaredAtStart;
import io.rowqueue.engine.worker.WorkerHost;
import io.rowqueue.engine.worker.WorkerPart;
import io.rowqueue.listen.AttemptScope;
import io.rowqueue.listen.JobInterceptor;
import io.rowqueue.listen.JobListener;
import io.rowqueue.masking.StoredTextMasker;
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
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "rowqueue.worker.enabled", matchIfMissing = true)
public final class QueueWorkerAutoConfiguration {

	@Bean
	MaintenanceStore rowqueueMaintenanceStore(QueueDatabases databases) {
		return new MaintenanceStore(databases.worker());
	}

	@Bean
	WorkerDatabase rowqueueWorkerDatabase(QueueDatabases databases, ApplicationDataSource application,
			WorkerConnections connections, WakeUps wakeUps, JobEndings endings, ObjectProvider<Carriage> carriage,
			ObjectProvider<WorkerPart.Factory> part) {
		return new WorkerDatabase(databases, new JoinedTransaction(application.dataSource()), connections, wakeUps,
				endings, carriage.getIfAvailable(() -> Carriage.NONE),
				part.getIfAvailable(() -> WorkerPart.Factory.NONE));
	}

	@Bean
	HandlerTransactions rowqueueHandlerTransactions(ApplicationDataSource application,
			ObjectProvider<PlatformTransactionManager> managers, ObjectProvider<ShardTransactions> shard) {
		return new HandlerTransactions(application.dataSource(), managers, shard.getIfAvailable());
	}

	/** Created when the worker starts: hooks may need beans that need the worker. */
	@Bean
	@Lazy
	WorkerHooks rowqueueWorkerHooks(ObjectProvider<AttemptScope> scopes, ObjectProvider<JobInterceptor> interceptors,
			ObjectProvider<JobListener> listeners, ObjectProvider<StoreListener> storeListener,
			ObjectProvider<StoredTextMasker> masker, ObjectProvider<JobWindows> windows) {
		return new WorkerHooks(scopes.orderedStream().toList(), interceptors.orderedStream().toList(),
				JobListeners.of(listeners.orderedStream().toList()),
				storeListener.getIfAvailable(() -> StoreListener.NONE),
				masker.getIfAvailable(() -> StoredTextMasker.NONE), windows.getIfAvailable(() -> JobWindows.NONE));
	}

	@Bean
	RetentionsAtStart rowqueueRetentionsAtStart(QueueDatabases databases, HandlerRegistryFactory handlers) {
		return new RetentionsAtStart(new TypeRetentionStore(databases.worker()), handlers);
	}

	@Bean
	WorkerFactory rowqueueWorkerFactory(QueueProperties properties, Environment environment, WorkerDatabase database,
			HandlerTransactions transactions, ObjectProvider<RetryPolicy> retryPolicy,
			ObjectProvider<WorkerHooks> hooks, HandlerRegistryFactory handlers,
			ObjectProvider<DeclaredAtStart> declared, DirectStart directStart, ObjectProvider<ShardName> shard) {
		return new WorkerFactory(properties, environment, database, transactions,
				retryPolicy.getIfAvailable(properties.retry()::policy), hooks::getObject,
				() -> declarations(handlers, declared, properties.retention().retention().keptJobs()), directStart,
				shard.getIfAvailable() != null);
	}

	private static Set<String> declarations(HandlerRegistryFactory handlers, ObjectProvider<DeclaredAtStart> declared,
			KeptJobs kept) {
		Set<String> labels = new TreeSet<>();
		declared.orderedStream().forEach((each) -> labels.addAll(each.write(handlers.get())));
		if (!kept.all()) {
			labels.add(KeptJobs.PARTIAL);
		}
		return labels;
	}

	@Bean
	QueueLifecycle rowqueueLifecycle(QueueProperties properties, ApplicationDataSource application,
			HandlerRegistryFactory handlers, WorkerFactory workers, MaintenanceStore maintenance,
			ObjectProvider<Task> tasks, Outage outage, ObjectProvider<PoolFactory> pools, QueueSchemaInitializer schema,
			WakeUps wakeUps) {
		return new QueueLifecycle(handlers, properties, application.enabled(),
				(registry) -> workers.shares(registry)
					.stream()
					.map((share) -> new WorkerHost(workers.parts(share), outage,
							share.pools(pools.getIfAvailable(() -> PoolFactory.OWN)), share.suffix()))
					.toList(),
				() -> new Maintenance(maintenance, outage, tasks.orderedStream().toList(), wakeUps,
						properties.worker().idleInterval()),
				schema::isPending);
	}

	@Bean
	DeepSleep rowqueueDeepSleep(QueueProperties properties, QueueLifecycle workers,
			ObjectProvider<AwakeOnly> background, MaintenanceStore maintenance, ObjectProvider<Task> tasks,
			WakeUps wakeUps, WorkerConnections connections, Outage outage) {
		return new DeepSleep(properties.worker().sleepAfter(), workers, () -> background.orderedStream().toList(),
				() -> maintenance.nextWork(tasks.orderedStream().toList()), wakeUps, connections, outage);
	}

	@Bean
	JobMdc rowqueueJobMdc() {
		return new JobMdc();
	}

	@Bean
	JobEvents rowqueueJobEvents(ApplicationEventPublisher publisher) {
		return new JobEvents(publisher);
	}

	/**
	 * No bean depends on them: lazy initialization would not start it.
	 */
	@Bean
	static LazyInitializationExcludeFilter rowqueueLazyInitializationExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(QueueLifecycle.class, DeepSleep.class);
	}

}
