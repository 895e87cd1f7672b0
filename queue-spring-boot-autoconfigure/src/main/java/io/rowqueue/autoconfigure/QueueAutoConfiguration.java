package io.rowqueue.autoconfigure;

import java.util.function.Function;
import java.util.function.Supplier;

import io.rowqueue.JobQueue;
import io.rowqueue.PayloadCodec;
import io.rowqueue.PayloadEncryption;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.JobEditor;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.operation.Operations;
import io.rowqueue.engine.admin.DefaultJobAdmin;
import io.rowqueue.engine.admin.DefaultJobEditor.PayloadCheck;
import io.rowqueue.engine.admin.DefaultJobEditor;
import io.rowqueue.engine.admin.DefaultQueueOverview;
import io.rowqueue.engine.admin.JobEditStore;
import io.rowqueue.engine.admin.OverviewStore;
import io.rowqueue.engine.codec.WrittenPayloads;
import io.rowqueue.engine.control.ChangeScope;
import io.rowqueue.engine.control.PayloadChange;
import io.rowqueue.engine.database.JoinedTransaction;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.database.TransactionCheck;
import io.rowqueue.engine.enqueue.CallerTransaction;
import io.rowqueue.engine.enqueue.Carriage;
import io.rowqueue.engine.enqueue.DeclaredTypes;
import io.rowqueue.engine.enqueue.EnqueueHooks;
import io.rowqueue.engine.enqueue.PayloadWriter;
import io.rowqueue.engine.enqueue.TransactionalJobQueue;
import io.rowqueue.engine.figures.ErrorGroupStore;
import io.rowqueue.engine.flow.BatchStore;
import io.rowqueue.engine.flow.DefaultFlowAdmin;
import io.rowqueue.engine.flow.FlowStore;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.limit.AdmissionStore;
import io.rowqueue.engine.listen.JobListeners;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.operation.BulkStore;
import io.rowqueue.engine.operation.DefaultOperations;
import io.rowqueue.engine.operation.OperationStore;
import io.rowqueue.engine.schedule.ClusterSchedules;
import io.rowqueue.engine.schedule.ScheduleStore;
import io.rowqueue.engine.search.JobSearchStore;
import io.rowqueue.engine.wakeup.JobEndings;
import io.rowqueue.engine.wakeup.WakeUpStore;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.engine.window.ClusterWindows;
import io.rowqueue.engine.window.WindowStore;
import io.rowqueue.flow.FlowAdmin;
import io.rowqueue.listen.EnqueueInterceptor;
import io.rowqueue.listen.JobListener;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.window.Windows;
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
 * jobs with, {@link Schedules} and {@link Windows}, and the beans of the administration.
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
		AdmissionStore admission = new AdmissionStore(databases.worker());
		return properties.notifications().enabled()
				? new WakeUps(new WakeUpStore(databases.worker(), listener.getIfAvailable(() -> StoreListener.NONE)),
						admission)
				: WakeUps.ofThisProcess(admission);
	}

	@Bean
	JobEndings rowqueueJobEndings() {
		return new JobEndings();
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
			TransactionCheck transactions) {
		if (!properties.worker().enabled()) {
			logger.info("rowqueue.worker.enabled is false: this process enqueues jobs and runs none");
		}
		return new TransactionalJobQueue(databases, properties.retention().retention().keptJobs(),
				new CallerTransaction(application.dataSource(), shard.getIfAvailable() != null, transactions),
				new PayloadWriter(codec, properties.maxPayloadSize()), wakeUps, endings,
				new EnqueueHooks(SingletonSupplier.of(() -> interceptors.orderedStream().toList()),
						SingletonSupplier.of(() -> JobListeners.of(listeners.orderedStream().toList())), types,
						directStart, new WindowStore(databases.worker())),
				carriage.getIfAvailable(() -> Carriage.NONE));
	}

	@Bean
	@ConditionalOnMissingBean(value = QueueOverview.class, search = SearchStrategy.CURRENT)
	DefaultQueueOverview rowqueueOverview(QueueDatabases databases) {
		return new DefaultQueueOverview(new OverviewStore(databases.worker()));
	}

	@Bean
	@ConditionalOnMissingBean(value = JobAdmin.class, search = SearchStrategy.CURRENT)
	DefaultJobAdmin rowqueueJobAdmin(QueueDatabases databases, ApplicationDataSource application, PayloadCodec codec,
			WakeUps wakeUps, QueueProperties properties, ObjectProvider<Carriage> carriage) {
		SingletonSupplier<Carriage> carried = SingletonSupplier.of(() -> carriage.getIfAvailable(() -> Carriage.NONE));
		ChangeScope changes = ChangeScope.joining(databases, new JoinedTransaction(application.dataSource()));
		PayloadChange payloads = PayloadChange.of(changes,
				new PayloadWriter(codec, properties.maxPayloadSize())::payload);
		return new DefaultJobAdmin(databases, changes, wakeUps, payloads, () -> carried.obtain().describe());
	}

	@Bean
	@ConditionalOnMissingBean(value = JobSearch.class, search = SearchStrategy.CURRENT)
	JobSearchStore rowqueueJobSearch(QueueDatabases databases) {
		return new JobSearchStore(databases.worker());
	}

	@Bean
	@ConditionalOnMissingBean(value = Operations.class, search = SearchStrategy.CURRENT)
	DefaultOperations rowqueueOperations(QueueDatabases databases) {
		return new DefaultOperations(new OperationStore(databases.worker()), new BulkStore(databases.worker()));
	}

	@Bean
	@ConditionalOnMissingBean(value = JobEditor.class, search = SearchStrategy.CURRENT)
	DefaultJobEditor rowqueueJobEditor(QueueDatabases databases, WakeUps wakeUps, QueueProperties properties,
			ObjectProvider<PayloadCheck> checks, ObjectProvider<PayloadEncryption> encryption) {
		return new DefaultJobEditor(new JobEditStore(databases.worker()), wakeUps,
				(type, payload) -> checks.ifAvailable((check) -> check.check(type, payload)),
				properties.maxPayloadSize(), new WrittenPayloads(encryption.getIfAvailable()));
	}

	@Bean
	ErrorGroupStore rowqueueErrorGroupStore(QueueDatabases databases) {
		return new ErrorGroupStore(databases.worker());
	}

	@Bean
	@ConditionalOnMissingBean(value = FlowAdmin.class, search = SearchStrategy.CURRENT)
	DefaultFlowAdmin rowqueueFlowAdmin(JobAdmin jobs, QueueDatabases databases) {
		return new DefaultFlowAdmin(new FlowStore(databases.worker()), jobs);
	}

	@Bean
	@ConditionalOnMissingBean(value = Schedules.class, search = SearchStrategy.CURRENT)
	ClusterSchedules rowqueueSchedules(QueueDatabases databases, ApplicationDataSource application, PayloadCodec codec,
			WakeUps wakeUps, QueueProperties properties) {
		JoinedTransaction transaction = new JoinedTransaction(application.dataSource());
		return new ClusterSchedules(inTransactionOrAlone(databases, transaction, ScheduleStore::new),
				new PayloadWriter(codec, properties.maxPayloadSize())::payload,
				(arrivals) -> transaction.afterCommit(() -> wakeUps.jobsArrived(arrivals)));
	}

	@Bean
	@ConditionalOnMissingBean(value = Windows.class, search = SearchStrategy.CURRENT)
	ClusterWindows rowqueueWindows(QueueDatabases databases, ApplicationDataSource application) {
		return new ClusterWindows(
				inTransactionOrAlone(databases, new JoinedTransaction(application.dataSource()), WindowStore::new));
	}

	/**
	 * Outside of a transaction, the application's connections need not commit what they
	 * are used for.
	 */
	private static <S> Supplier<S> inTransactionOrAlone(QueueDatabases databases, JoinedTransaction transaction,
			Function<QueueDatabase, S> store) {
		S joining = store.apply(databases.application());
		S alone = store.apply(databases.worker());
		return () -> transaction.joinToChange() ? joining : alone;
	}

}
