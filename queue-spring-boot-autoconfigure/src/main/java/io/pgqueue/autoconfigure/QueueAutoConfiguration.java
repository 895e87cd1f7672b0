package io.pgqueue.autoconfigure;

import io.pgqueue.EnqueueInterceptor;
import io.pgqueue.JobListener;
import io.pgqueue.JobQueue;
import io.pgqueue.admin.DefaultFlowAdmin;
import io.pgqueue.admin.FlowAdmin;
import io.pgqueue.admin.DefaultJobAdmin;
import io.pgqueue.admin.JobAdmin;
import io.pgqueue.admin.DefaultQueueOverview;
import io.pgqueue.admin.QueueOverview;
import io.pgqueue.codec.PayloadCodec;
import io.pgqueue.enqueue.BulkPace;
import io.pgqueue.enqueue.EnqueueDatabase;
import io.pgqueue.enqueue.EnqueueHooks;
import io.pgqueue.enqueue.TransactionalJobQueue;
import io.pgqueue.store.AdminStore;
import io.pgqueue.store.BatchStore;
import io.pgqueue.store.FlowStore;
import io.pgqueue.store.JobStore;
import io.pgqueue.store.LimitStore;
import io.pgqueue.store.OverviewStore;
import io.pgqueue.store.StepStore;
import io.pgqueue.store.StoreListener;
import io.pgqueue.store.WakeUpStore;
import io.pgqueue.support.JobListeners;
import io.pgqueue.support.Outage;
import io.pgqueue.wakeup.JobEndings;
import io.pgqueue.wakeup.WakeUps;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.function.SingletonSupplier;

import io.pgqueue.autoconfigure.handler.QueueHandlerAutoConfiguration;

/**
 * Auto-configuration of the {@link JobQueue} that applications enqueue jobs with.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { QueueSchemaAutoConfiguration.class, QueueHandlerAutoConfiguration.class })
@ConditionalOnBooleanProperty(name = "queue.enabled", matchIfMissing = true)
public final class QueueAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(QueueAutoConfiguration.class);

	@Bean
	WorkerConnections queueWorkerConnections(QueueConnections connections) {
		return new WorkerConnections(connections.enqueueing());
	}

	@Bean
	@DependsOnDatabaseInitialization
	QueueDatabases queueDatabases(QueueConnections connections, WorkerConnections workerConnections,
			QueueProperties properties) {
		return new QueueDatabases(connections, workerConnections, properties.schema().schemaName());
	}

	@Bean
	JobStore queueJobStore(QueueDatabases databases) {
		return new JobStore(databases.application(), databases.worker());
	}

	@Bean
	BatchStore queueBatchStore(QueueDatabases databases, QueueProperties properties) {
		return new BatchStore(databases.application(), databases.worker(),
				properties.retention().retention().keptJobs());
	}

	@Bean
	WakeUps queueWakeUps(QueueDatabases databases, QueueProperties properties, ObjectProvider<StoreListener> listener) {
		LimitStore limits = new LimitStore(databases.worker());
		return properties.notifications().enabled()
				? new WakeUps(new WakeUpStore(databases.worker(), listener.getIfAvailable(() -> StoreListener.NONE)),
						limits)
				: WakeUps.ofThisProcess(limits);
	}

	@Bean
	JobEndings queueJobEndings() {
		return new JobEndings();
	}

	@Bean
	Outage queueOutage(WorkerConnections connections) {
		return new Outage(connections::renew);
	}

	@Bean
	@ConditionalOnMissingBean(JobQueue.class)
	TransactionalJobQueue queueJobQueue(QueueDatabases databases, QueueConnections connections, PayloadCodec codec,
			WakeUps wakeUps, JobEndings endings, QueueProperties properties,
			ObjectProvider<EnqueueInterceptor> interceptors, ObjectProvider<JobListener> listeners,
			ObjectProvider<BulkPace> pace) {
		if (!properties.worker().enabled()) {
			logger.info("queue.worker.enabled is false: this process enqueues jobs and runs none");
		}
		EnqueueDatabase database = new EnqueueDatabase(databases.application(), databases.worker(),
				properties.retention().retention().keptJobs());
		return new TransactionalJobQueue(database, connections.enqueueing(), codec, properties.maxPayloadSize(),
				wakeUps, endings,
				new EnqueueHooks(SingletonSupplier.of(() -> interceptors.orderedStream().toList()),
						SingletonSupplier.of(() -> JobListeners.of(listeners.orderedStream().toList())),
						pace.getIfAvailable(() -> BulkPace.FULL)));
	}

	@Bean
	QueueOverview queueOverview(JobStore store, QueueDatabases databases) {
		return new DefaultQueueOverview(new OverviewStore(databases.worker()), store);
	}

	@Bean
	JobAdmin queueJobAdmin(JobStore store, QueueDatabases databases, WakeUps wakeUps) {
		return new DefaultJobAdmin(new AdminStore(databases.worker()), store, new StepStore(databases.worker()), wakeUps);
	}

	@Bean
	FlowAdmin queueFlowAdmin(JobAdmin jobs, QueueDatabases databases) {
		return new DefaultFlowAdmin(new FlowStore(databases.worker()), jobs);
	}

}
