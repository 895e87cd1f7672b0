package io.pgqueue.autoconfigure.worker;

import javax.sql.DataSource;

import io.pgqueue.PayloadCodec;
import io.pgqueue.RetryPolicy;
import io.pgqueue.admin.masking.StoredTextMasker;
import io.pgqueue.autoconfigure.ApplicationDataSource;
import io.pgqueue.autoconfigure.QueueProperties;
import io.pgqueue.autoconfigure.handler.HandlerRegistryFactory;
import io.pgqueue.engine.attempt.WorkerHooks;
import io.pgqueue.engine.database.JoinedTransaction;
import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.handler.HandlerRegistry;
import io.pgqueue.engine.job.JobStore;
import io.pgqueue.engine.lease.InlineClaimStore;
import io.pgqueue.engine.lease.JobLogStore;
import io.pgqueue.engine.lease.KeptJobs;
import io.pgqueue.engine.listen.StoreListener;
import io.pgqueue.engine.search.JobDetailsStatement;
import io.pgqueue.engine.wakeup.JobEndings;
import io.pgqueue.engine.wakeup.WakeUps;
import io.pgqueue.engine.worker.InlineWorker;
import io.pgqueue.engine.worker.ListenerSettings;
import io.pgqueue.engine.worker.WorkerParts;
import io.pgqueue.engine.worker.WorkerStore;
import io.pgqueue.engine.worker.WorkerStores;
import io.pgqueue.listen.AttemptScope;
import io.pgqueue.listen.JobInterceptor;
import io.pgqueue.listen.JobListener;
import io.pgqueue.schema.SchemaName;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Configuration of the queue as the calling thread sees it, for tests. No
 * auto-configuration: the test starter imports it.
 *
 * @since 0.1.0
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(QueueProperties.class)
public final class InlineQueueConfiguration {

	@Bean
	InlineQueue pgqueueInlineQueue(ApplicationDataSource application, QueueProperties properties, PayloadCodec codec,
			HandlerRegistryFactory handlers, WakeUps wakeUps, JobEndings endings,
			ObjectProvider<RetryPolicy> retryPolicy, ObjectProvider<PlatformTransactionManager> managers,
			BeanFactory beans) {
		DataSource dataSource = application.dataSource();
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		SchemaName schema = properties.schema().schemaName();
		QueueDatabase database = new QueueDatabase(jdbc, schema);
		HandlerTransactions transactions = new HandlerTransactions(dataSource, managers, null);
		return new InlineQueue(jdbc, schema, new JobStore(database, database), new JobDetailsStatement(database),
				new JobLogStore(database), codec, () -> handlers.get().types(), () -> {
					HandlerRegistry registry = handlers.get();
					// tests read succeeded jobs
					JoinedTransaction caller = new JoinedTransaction(dataSource);
					WorkerStores stores = new WorkerStores(database, database, KeptJobs.ALL, caller,
							StoreListener.NONE);
					WorkerParts parts = new WorkerParts(stores, new WorkerStore(database), dataSource,
							ListenerSettings.DEFAULT, schema, wakeUps, endings, registry,
							retryPolicy.getIfAvailable(properties.retry()::policy), transactions.of(registry),
							new CustomizableThreadFactory("pgqueue-job-"), properties.worker().settings(),
							hooks(beans));
					return new InlineWorker(parts, new InlineClaimStore(database), caller);
				});
	}

	/** What handlers may rely on. Listeners are notified by workers only. */
	private static WorkerHooks hooks(BeanFactory beans) {
		return new WorkerHooks(beans.getBeanProvider(AttemptScope.class).orderedStream().toList(),
				beans.getBeanProvider(JobInterceptor.class).orderedStream().toList(), JobListener.NONE,
				StoreListener.NONE,
				beans.getBeanProvider(StoredTextMasker.class).getIfAvailable(() -> StoredTextMasker.NONE));
	}

}
