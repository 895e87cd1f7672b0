package io.pgqueue.autoconfigure;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadFactory;

import io.pgqueue.AttemptScope;
import io.pgqueue.JobInterceptor;
import io.pgqueue.JobListener;
import io.pgqueue.RetryPolicy;
import io.pgqueue.autoconfigure.QueueProperties.Notifications;
import io.pgqueue.autoconfigure.handler.HandlerRegistryFactory;
import io.pgqueue.maintenance.AdmitTask;
import io.pgqueue.maintenance.HorizonTask;
import io.pgqueue.maintenance.Maintenance;
import io.pgqueue.maintenance.PromoteTask;
import io.pgqueue.maintenance.RecoverTask;
import io.pgqueue.maintenance.RetainTask;
import io.pgqueue.schedule.ScheduleTask;
import io.pgqueue.store.HorizonStore;
import io.pgqueue.store.JobStore;
import io.pgqueue.store.KeptJobs;
import io.pgqueue.store.MaintenanceStore;
import io.pgqueue.store.ScheduleStore;
import io.pgqueue.store.StoreListener;
import io.pgqueue.store.WorkerStore;
import io.pgqueue.support.JobListeners;
import io.pgqueue.support.Outage;
import io.pgqueue.wakeup.WakeUps;
import io.pgqueue.window.DeclaredWindows;
import io.pgqueue.window.WindowTask;
import io.pgqueue.worker.ListenerSettings;
import io.pgqueue.worker.WorkerHooks;
import io.pgqueue.worker.WorkerHost;
import io.pgqueue.worker.WorkerParts;
import io.pgqueue.worker.WorkerSettings;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.StringUtils;

/**
 * Auto-configuration of the worker, which runs jobs in this process, and of the
 * maintenance that workers share.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "queue.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "queue.worker.enabled", matchIfMissing = true)
@EnableConfigurationProperties(WindowProperties.class)
public final class QueueWorkerAutoConfiguration {

	private static final String THREADS = "queue-job-";

	@Bean
	WorkerStore queueWorkerStore(WorkerConnections connections, QueueProperties properties,
			ObjectProvider<StoreListener> listener) {
		return new WorkerStore(new JdbcTemplate(connections.dataSource()), properties.schema().schemaName(),
				listener.getIfAvailable(() -> StoreListener.NONE));
	}

	@Bean
	MaintenanceStore queueMaintenanceStore(WorkerConnections connections, QueueProperties properties) {
		return new MaintenanceStore(new JdbcTemplate(connections.dataSource()), properties.schema().schemaName());
	}

	@Bean
	QueueLifecycle queueLifecycle(QueueProperties properties, JobStore store, WorkerStore workers,
			MaintenanceStore maintenance, WorkerConnections connections, WakeUps wakeUps, Outage outage,
			HandlerRegistryFactory handlers, ObjectProvider<RetryPolicy> retryPolicy, Environment environment,
			QueueConnections application, ObjectProvider<PlatformTransactionManager> managers,
			ObjectProvider<AttemptScope> scopes, ObjectProvider<JobInterceptor> interceptors,
			ObjectProvider<JobListener> listeners, ObjectProvider<StoreListener> storeListener,
			WindowProperties windows) {
		WorkerSettings settings = properties.worker().settings();
		ShutdownCheck.warnIfCutShort(settings.shutdownTimeout(), environment);
		ThreadFactory threads = threads(environment);
		HandlerTransactions transactions = new HandlerTransactions(application.enqueueing(), managers);
		RetryPolicy retries = retryPolicy.getIfAvailable(properties.retry()::policy);
		WindowsAtStart atStart = new WindowsAtStart(store.windows(), windows.all());
		return new QueueLifecycle(handlers, settings.concurrency() > 0 || !settings.queues().isEmpty(),
				(registry) -> new WorkerHost(new WorkerParts(store, workers, connections.dataSource(),
						listener(properties.notifications(), application), properties.schema().schemaName(), wakeUps,
						registry, retries, transactions.of(registry), threads, settings,
						new WorkerHooks(scopes.orderedStream().toList(), interceptors.orderedStream().toList(),
								JobListeners.of(listeners.orderedStream().toList()),
								storeListener.getIfAvailable(() -> StoreListener.NONE)),
						declarations(handlers, atStart.write(registry), properties.retention().retention().keptJobs())),
						outage),
				() -> new Maintenance(maintenance, outage,
						List.of(new PromoteTask(maintenance, wakeUps), new AdmitTask(maintenance.limits(), wakeUps),
								new RecoverTask(workers, wakeUps, settings.lease(), settings.maxAttempts()),
								new RetainTask(maintenance, properties.retention().retention()),
								new ScheduleTask(
										new ScheduleStore(new JdbcTemplate(connections.dataSource()),
												properties.schema().schemaName()),
										wakeUps, handlers.schedules(),
										JobListeners.of(listeners.orderedStream().toList()),
										storeListener.getIfAvailable(() -> StoreListener.NONE)),
								new WindowTask(store.windows()),
								new HorizonTask(new HorizonStore(new JdbcTemplate(connections.dataSource()),
										properties.schema().schemaName())))));
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
	JobMdc queueJobMdc() {
		return new JobMdc();
	}

	@Bean
	JobEvents queueJobEvents(ApplicationEventPublisher publisher) {
		return new JobEvents(publisher);
	}

	private static ListenerSettings listener(Notifications notifications, QueueConnections application) {
		String url = notifications.url();
		return ListenerSettings.of(notifications.enabled(), StringUtils.hasText(url)
				? new QueueAddress(application.enqueueing()).direct(url, notifications) : null);
	}

	/**
	 * Nothing asks for the worker: without this, lazy initialization would not start it.
	 */
	@Bean
	static LazyInitializationExcludeFilter queueLazyInitializationExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(QueueLifecycle.class);
	}

	private static ThreadFactory threads(Environment environment) {
		if (Threading.VIRTUAL.isActive(environment)) {
			return new VirtualThreadTaskExecutor(THREADS).getVirtualThreadFactory();
		}
		CustomizableThreadFactory threads = new CustomizableThreadFactory(THREADS);
		threads.setDaemon(true);
		return threads;
	}

}
