package io.pgqueue.autoconfigure;

import java.util.function.Function;
import java.util.function.Supplier;

import io.pgqueue.JobQueue;
import io.pgqueue.PayloadCodec;
import io.pgqueue.PayloadEncryption;
import io.pgqueue.admin.JobAdmin;
import io.pgqueue.admin.JobEditor;
import io.pgqueue.admin.JobSearch;
import io.pgqueue.admin.QueueOverview;
import io.pgqueue.admin.operation.Operations;
import io.pgqueue.engine.admin.AdminDatabase;
import io.pgqueue.engine.admin.ChangeScope;
import io.pgqueue.engine.admin.DefaultJobAdmin;
import io.pgqueue.engine.admin.DefaultJobEditor;
import io.pgqueue.engine.admin.DefaultJobEditor.PayloadCheck;
import io.pgqueue.engine.admin.DefaultQueueOverview;
import io.pgqueue.engine.admin.JobEditStore;
import io.pgqueue.engine.admin.OverviewStore;
import io.pgqueue.engine.admin.PayloadChange;
import io.pgqueue.engine.codec.WrittenPayloads;
import io.pgqueue.engine.database.JoinedTransaction;
import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.enqueue.DeclaredTypes;
import io.pgqueue.engine.enqueue.EnqueueDatabase;
import io.pgqueue.engine.enqueue.EnqueueHooks;
import io.pgqueue.engine.enqueue.PayloadWriter;
import io.pgqueue.engine.enqueue.TransactionalJobQueue;
import io.pgqueue.engine.explain.ExplainDatabase;
import io.pgqueue.engine.figures.ErrorGroupStore;
import io.pgqueue.engine.flow.BatchStore;
import io.pgqueue.engine.flow.DefaultFlowAdmin;
import io.pgqueue.engine.flow.FlowStore;
import io.pgqueue.engine.job.JobStore;
import io.pgqueue.engine.lease.DirectStart;
import io.pgqueue.engine.limit.AdmissionStore;
import io.pgqueue.engine.listen.JobListeners;
import io.pgqueue.engine.listen.StoreListener;
import io.pgqueue.engine.operation.BulkStore;
import io.pgqueue.engine.operation.DefaultOperations;
import io.pgqueue.engine.operation.OperationStore;
import io.pgqueue.engine.outbox.CarriedJobs;
import io.pgqueue.engine.outbox.CarriedTypes;
import io.pgqueue.engine.schedule.ClusterSchedules;
import io.pgqueue.engine.schedule.ScheduleStore;
import io.pgqueue.engine.search.JobSearchStore;
import io.pgqueue.engine.signal.WaitStore;
import io.pgqueue.engine.step.StepStore;
import io.pgqueue.engine.wakeup.JobEndings;
import io.pgqueue.engine.wakeup.WakeUpStore;
import io.pgqueue.engine.wakeup.WakeUps;
import io.pgqueue.engine.window.ClusterWindows;
import io.pgqueue.engine.window.WindowStore;
import io.pgqueue.flow.FlowAdmin;
import io.pgqueue.listen.EnqueueInterceptor;
import io.pgqueue.listen.JobListener;
import io.pgqueue.schedule.Schedules;
import io.pgqueue.transport.JobTransport;
import io.pgqueue.window.Windows;
import org.jspecify.annotations.Nullable;
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
@ConditionalOnBooleanProperty(name = "pgqueue.enabled", matchIfMissing = true)
public final class QueueAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(QueueAutoConfiguration.class);

	@Bean
	JobStore pgqueueJobStore(QueueDatabases databases) {
		return new JobStore(databases.application(), databases.worker());
	}

	/** For the endpoint and the dashboard, which have no transaction. */
	@Bean
	BatchStore pgqueueBatchStore(QueueDatabases databases, QueueProperties properties) {
		return new BatchStore(databases.worker(), databases.worker(), properties.retention().retention().keptJobs());
	}

	@Bean
	WakeUps pgqueueWakeUps(QueueDatabases databases, QueueProperties properties,
			ObjectProvider<StoreListener> listener) {
		AdmissionStore admission = new AdmissionStore(databases.worker());
		return properties.notifications().enabled()
				? new WakeUps(new WakeUpStore(databases.worker(), listener.getIfAvailable(() -> StoreListener.NONE)),
						admission)
				: WakeUps.ofThisProcess(admission);
	}

	@Bean
	JobEndings pgqueueJobEndings() {
		return new JobEndings();
	}

	@Bean
	DirectStart pgqueueDirectStart(QueueProperties properties) {
		return properties.worker().directStart() ? new DirectStart() : DirectStart.NONE;
	}

	@Bean
	@ConditionalOnMissingBean(value = JobQueue.class, search = SearchStrategy.CURRENT)
	TransactionalJobQueue pgqueueJobQueue(QueueDatabases databases, ApplicationDataSource application,
			PayloadCodec codec, WakeUps wakeUps, JobEndings endings, QueueProperties properties,
			ObjectProvider<EnqueueInterceptor> interceptors, ObjectProvider<JobListener> listeners, DeclaredTypes types,
			DirectStart directStart, CarriedJobs carried, ObjectProvider<ShardName> shard) {
		if (!properties.worker().enabled()) {
			logger.info("pgqueue.worker.enabled is false: this process enqueues jobs and runs none");
		}
		EnqueueDatabase database = new EnqueueDatabase(databases.application(), databases.worker(),
				properties.retention().retention().keptJobs(), shard.getIfAvailable() != null);
		return new TransactionalJobQueue(database, application.dataSource(), codec, properties.maxPayloadSize(),
				wakeUps, endings,
				new EnqueueHooks(SingletonSupplier.of(() -> interceptors.orderedStream().toList()),
						SingletonSupplier.of(() -> JobListeners.of(listeners.orderedStream().toList())), types,
						directStart),
				carried);
	}

	@Bean
	CarriedJobs pgqueueCarriedJobs(QueueDatabases databases, ObjectProvider<JobTransport> transport) {
		JobTransport broker = transport.getIfAvailable();
		return (broker != null) ? new CarriedJobs(databases.application(), databases.worker(), broker)
				: CarriedJobs.NONE;
	}

	@Bean
	@ConditionalOnMissingBean(value = QueueOverview.class, search = SearchStrategy.CURRENT)
	DefaultQueueOverview pgqueueOverview(JobStore store, QueueDatabases databases) {
		return new DefaultQueueOverview(new OverviewStore(databases.worker()), store);
	}

	@Bean
	@ConditionalOnMissingBean(value = JobAdmin.class, search = SearchStrategy.CURRENT)
	DefaultJobAdmin pgqueueJobAdmin(JobStore store, QueueDatabases databases, ApplicationDataSource application,
			PayloadCodec codec, WakeUps wakeUps, QueueProperties properties, ObjectProvider<JobTransport> transport) {
		SingletonSupplier<JobTransport> broker = SingletonSupplier.ofNullable(transport::getIfAvailable);
		ChangeScope changes = ChangeScope.joining(databases.worker(), databases.application(),
				new JoinedTransaction(application.dataSource()));
		PayloadChange payloads = PayloadChange.of(new JobEditStore(databases.worker(), changes),
				new PayloadWriter(codec, properties.maxPayloadSize())::payload);
		return new DefaultJobAdmin(new AdminDatabase(databases.worker(), changes),
				new ExplainDatabase(databases.worker()), store, new StepStore(databases.worker()),
				new WaitStore(databases.worker()), wakeUps, payloads, () -> describe(broker.get()));
	}

	private static String describe(@Nullable JobTransport transport) {
		return (transport != null) ? CarriedTypes.describe(transport) : "";
	}

	@Bean
	@ConditionalOnMissingBean(value = JobSearch.class, search = SearchStrategy.CURRENT)
	JobSearchStore pgqueueJobSearch(QueueDatabases databases) {
		return new JobSearchStore(databases.worker());
	}

	@Bean
	@ConditionalOnMissingBean(value = Operations.class, search = SearchStrategy.CURRENT)
	DefaultOperations pgqueueOperations(QueueDatabases databases) {
		return new DefaultOperations(new OperationStore(databases.worker()), new BulkStore(databases.worker()));
	}

	@Bean
	@ConditionalOnMissingBean(value = JobEditor.class, search = SearchStrategy.CURRENT)
	DefaultJobEditor pgqueueJobEditor(QueueDatabases databases, WakeUps wakeUps, QueueProperties properties,
			ObjectProvider<PayloadCheck> checks, ObjectProvider<PayloadEncryption> encryption) {
		return new DefaultJobEditor(new JobEditStore(databases.worker()), wakeUps,
				(type, payload) -> checks.ifAvailable((check) -> check.check(type, payload)),
				properties.maxPayloadSize(), new WrittenPayloads(encryption.getIfAvailable()));
	}

	@Bean
	ErrorGroupStore pgqueueErrorGroupStore(QueueDatabases databases) {
		return new ErrorGroupStore(databases.worker());
	}

	@Bean
	@ConditionalOnMissingBean(value = FlowAdmin.class, search = SearchStrategy.CURRENT)
	DefaultFlowAdmin pgqueueFlowAdmin(JobAdmin jobs, QueueDatabases databases) {
		return new DefaultFlowAdmin(new FlowStore(databases.worker()), jobs);
	}

	@Bean
	@ConditionalOnMissingBean(value = Schedules.class, search = SearchStrategy.CURRENT)
	ClusterSchedules pgqueueSchedules(QueueDatabases databases, ApplicationDataSource application, PayloadCodec codec,
			WakeUps wakeUps, QueueProperties properties) {
		JoinedTransaction transaction = new JoinedTransaction(application.dataSource());
		return new ClusterSchedules(inTransactionOrAlone(databases, transaction, ScheduleStore::new),
				new PayloadWriter(codec, properties.maxPayloadSize())::payload,
				(arrivals) -> transaction.afterCommit(() -> wakeUps.jobsArrived(arrivals)));
	}

	@Bean
	@ConditionalOnMissingBean(value = Windows.class, search = SearchStrategy.CURRENT)
	ClusterWindows pgqueueWindows(QueueDatabases databases, ApplicationDataSource application) {
		return new ClusterWindows(inTransactionOrAlone(databases, new JoinedTransaction(application.dataSource()),
				WindowStore::new));
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
