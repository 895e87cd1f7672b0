package io.rowqueue.autoconfigure;

import io.rowqueue.JobQueue;
import io.rowqueue.PayloadCodec;
import io.rowqueue.control.JobControl;
import io.rowqueue.engine.control.ChangeScope;
import io.rowqueue.engine.control.DefaultJobControl;
import io.rowqueue.engine.control.PayloadChange;
import io.rowqueue.engine.database.ApplicationDataSource;
import io.rowqueue.engine.database.JoinedTransaction;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.database.ShardName;
import io.rowqueue.engine.database.TransactionCheck;
import io.rowqueue.engine.enqueue.CallerTransaction;
import io.rowqueue.engine.enqueue.Carriage;
import io.rowqueue.engine.enqueue.CheckedPayloads;
import io.rowqueue.engine.enqueue.DeclaredTypes;
import io.rowqueue.engine.enqueue.EnqueueHooks;
import io.rowqueue.engine.enqueue.PayloadWriter;
import io.rowqueue.engine.enqueue.TransactionalJobQueue;
import io.rowqueue.engine.job.BatchStore;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.engine.job.JobWindows;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.limit.AdmissionStore;
import io.rowqueue.engine.listen.JobListeners;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.wakeup.JobEndings;
import io.rowqueue.engine.wakeup.WakeUpStore;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.engine.worker.WorkerSettings;
import io.rowqueue.listen.EnqueueInterceptor;
import io.rowqueue.listen.JobListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration of what applications inject: the {@link JobQueue} that they enqueue
 * jobs with, and what changes jobs.
 * <p>
 * Conditions search the current context only: the context of a further shard has all
 * these beans once more, and that of the application is its parent.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", matchIfMissing = true)
public final class QueueAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(QueueAutoConfiguration.class);

	/**
	 * A post-processor, and not a bean of the listener: Spring Boot would add that to the
	 * managers only that it auto-configures itself.
	 */
	@Bean
	static TransactionEndPostProcessor rowqueueTransactionEnds() {
		return new TransactionEndPostProcessor();
	}

	@Bean
	JobStore rowqueueJobStore(QueueDatabases databases) {
		return new JobStore(databases);
	}

	/** For the endpoint and the dashboard, which have no transaction. */
	@Bean
	BatchStore rowqueueBatchStore(QueueDatabases databases, QueueProperties properties) {
		return new BatchStore(QueueDatabases.of(databases.worker()), properties.retention().retention().keptJobs());
	}

	@Bean
	WakeUps rowqueueWakeUps(QueueDatabases databases, QueueProperties properties,
			ObjectProvider<StoreListener> listener) {
		return properties.notifications().enabled()
				? new WakeUps(new WakeUpStore(databases.worker(), listener.getIfAvailable(() -> StoreListener.NONE)),
						new AdmissionStore(databases.worker()))
				: WakeUps.ofThisProcess(databases.worker());
	}

	@Bean
	JobEndings rowqueueJobEndings() {
		return new JobEndings();
	}

	/** For parts, which do not know the properties of workers. */
	@Bean
	WorkerSettings rowqueueWorkerSettings(QueueProperties properties) {
		return properties.worker().settings();
	}

	/** For parts, which do not know the properties of retention. */
	@Bean
	KeptJobs rowqueueKeptJobs(QueueProperties properties) {
		return properties.retention().retention().keptJobs();
	}

	@Bean
	DirectStart rowqueueDirectStart(QueueProperties properties) {
		return properties.worker().directStart() ? new DirectStart() : DirectStart.NONE;
	}

	/** One for all shards. */
	@Bean
	@ConditionalOnMissingBean
	TransactionCheck rowqueueTransactionCheck(QueueProperties properties) {
		return new TransactionCheck(properties.enqueue().transaction());
	}

	@Bean
	@ConditionalOnMissingBean(value = JobQueue.class, search = SearchStrategy.CURRENT)
	TransactionalJobQueue rowqueueJobQueue(QueueDatabases databases, ApplicationDataSource application,
			PayloadCodec codec, WakeUps wakeUps, JobEndings endings, QueueProperties properties,
			ObjectProvider<EnqueueInterceptor> interceptors, ObjectProvider<JobListener> listeners, DeclaredTypes types,
			DirectStart directStart, ObjectProvider<Carriage> carriage, ObjectProvider<ShardName> shard,
			ObjectProvider<JobWindows> windows, TransactionCheck transactions) {
		if (!properties.worker().enabled()) {
			logger.info("rowqueue.worker.enabled is false: this process enqueues jobs and runs none");
		}
		return new TransactionalJobQueue(databases, properties.retention().retention().keptJobs(),
				new CallerTransaction(application.dataSource(), shard.getIfAvailable() != null, transactions),
				new PayloadWriter(codec, properties.maxPayloadSize()), wakeUps, endings,
				new EnqueueHooks(SingletonSupplier.of(() -> interceptors.orderedStream().toList()),
						SingletonSupplier.of(() -> JobListeners.of(listeners.orderedStream().toList())), types,
						directStart, windows.getIfAvailable(() -> JobWindows.NONE)),
				carriage.getIfAvailable(() -> Carriage.NONE));
	}

	@Bean
	CheckedPayloads rowqueueCheckedPayloads(PayloadCodec codec, QueueProperties properties, DeclaredTypes types) {
		return new CheckedPayloads(new PayloadWriter(codec, properties.maxPayloadSize()), types);
	}

	/** That of the administration, if that is there. */
	@Bean
	@ConditionalOnMissingBean(value = JobControl.class, search = SearchStrategy.CURRENT)
	DefaultJobControl rowqueueJobControl(QueueDatabases databases, ApplicationDataSource application, WakeUps wakeUps,
			CheckedPayloads payloads) {
		ChangeScope changes = ChangeScope.joining(databases, new JoinedTransaction(application.dataSource()));
		return new DefaultJobControl(databases, changes, wakeUps, PayloadChange.of(changes, payloads));
	}

}
