package io.rowqueue.autoconfigure.worker;

import java.util.Set;

import javax.sql.DataSource;

import io.rowqueue.PayloadCodec;
import io.rowqueue.RetryPolicy;
import io.rowqueue.autoconfigure.QueueProperties;
import io.rowqueue.autoconfigure.handler.HandlerRegistryFactory;
import io.rowqueue.engine.attempt.WorkerHooks;
import io.rowqueue.engine.database.ApplicationDataSource;
import io.rowqueue.engine.database.JoinedTransaction;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.engine.job.JobWindows;
import io.rowqueue.engine.lease.DirectStart;
import io.rowqueue.engine.lease.JobLogStore;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.search.JobDetailsStatement;
import io.rowqueue.engine.wakeup.JobEndings;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.engine.worker.ListenerSettings;
import io.rowqueue.engine.worker.WorkerPart;
import io.rowqueue.engine.worker.WorkerParts;
import io.rowqueue.listen.AttemptScope;
import io.rowqueue.listen.JobInterceptor;
import io.rowqueue.listen.JobListener;
import io.rowqueue.masking.StoredTextMasker;
import io.rowqueue.schema.SchemaName;
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
	InlineQueue rowqueueInlineQueue(ApplicationDataSource application, QueueProperties properties, PayloadCodec codec,
			HandlerRegistryFactory handlers, WakeUps wakeUps, JobEndings endings,
			ObjectProvider<RetryPolicy> retryPolicy, ObjectProvider<PlatformTransactionManager> managers,
			BeanFactory beans) {
		DataSource dataSource = application.dataSource();
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		SchemaName schema = properties.schema().schemaName();
		QueueDatabase database = new QueueDatabase(jdbc, schema);
		QueueDatabases databases = QueueDatabases.of(database);
		HandlerTransactions transactions = new HandlerTransactions(dataSource, managers, null);
		return new InlineQueue(jdbc, schema, new JobStore(databases), new JobDetailsStatement(database),
				new JobLogStore(database), codec, () -> handlers.get().types(), () -> {
					HandlerRegistry registry = handlers.get();
					// tests read succeeded jobs
					return new WorkerParts(databases, new JoinedTransaction(dataSource), KeptJobs.ALL, dataSource,
							ListenerSettings.DEFAULT, wakeUps, endings, registry,
							retryPolicy.getIfAvailable(properties.retry()::policy), transactions.of(registry),
							new CustomizableThreadFactory("rowqueue-job-"), properties.worker().settings(),
							hooks(beans), Set.of(), DirectStart.NONE, WorkerPart.Factory.NONE);
				});
	}

	/** What handlers may rely on. Listeners are notified by workers only. */
	private static WorkerHooks hooks(BeanFactory beans) {
		return new WorkerHooks(beans.getBeanProvider(AttemptScope.class).orderedStream().toList(),
				beans.getBeanProvider(JobInterceptor.class).orderedStream().toList(), JobListener.NONE,
				StoreListener.NONE,
				beans.getBeanProvider(StoredTextMasker.class).getIfAvailable(() -> StoredTextMasker.NONE),
				beans.getBeanProvider(JobWindows.class).getIfAvailable(() -> JobWindows.NONE));
	}

}
