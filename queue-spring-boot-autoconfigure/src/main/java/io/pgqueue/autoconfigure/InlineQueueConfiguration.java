package io.pgqueue.autoconfigure;

import javax.sql.DataSource;

import io.pgqueue.RetryPolicy;
import io.pgqueue.autoconfigure.handler.HandlerRegistryFactory;
import io.pgqueue.codec.PayloadCodec;
import io.pgqueue.handler.HandlerRegistry;
import io.pgqueue.schema.SchemaName;
import io.pgqueue.store.InlineClaim;
import io.pgqueue.store.JobStore;
import io.pgqueue.store.JoinedTransaction;
import io.pgqueue.store.KeptJobs;
import io.pgqueue.store.QueueDatabase;
import io.pgqueue.store.StoreListener;
import io.pgqueue.store.WorkerStore;
import io.pgqueue.wakeup.JobEndings;
import io.pgqueue.wakeup.WakeUps;
import io.pgqueue.worker.ListenerSettings;
import io.pgqueue.worker.InlineWorker;
import io.pgqueue.worker.WorkerParts;
import io.pgqueue.worker.WorkerStores;

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
	InlineQueue queueInlineQueue(QueueConnections connections, QueueProperties properties, PayloadCodec codec,
			HandlerRegistryFactory handlers, WakeUps wakeUps, JobEndings endings,
			ObjectProvider<RetryPolicy> retryPolicy, ObjectProvider<PlatformTransactionManager> managers) {
		DataSource dataSource = connections.enqueueing();
		JdbcTemplate jdbc = new JdbcTemplate(dataSource);
		SchemaName schema = properties.schema().schemaName();
		QueueDatabase database = new QueueDatabase(jdbc, schema);
		HandlerTransactions transactions = new HandlerTransactions(dataSource, managers);
		return new InlineQueue(jdbc, schema, new JobStore(database, database), codec, () -> handlers.get().types(),
				() -> {
					HandlerRegistry registry = handlers.get();
					// a test looks at what succeeded
					WorkerStores stores = new WorkerStores(database, database, KeptJobs.ALL, StoreListener.NONE);
					WorkerParts parts = new WorkerParts(stores, new WorkerStore(database), dataSource,
							ListenerSettings.DEFAULT, schema, wakeUps, endings, registry,
							retryPolicy.getIfAvailable(properties.retry()::policy), transactions.of(registry),
							new CustomizableThreadFactory("queue-job-"), properties.worker().settings());
					return new InlineWorker(parts, new InlineClaim(database), new JoinedTransaction(dataSource));
				});
	}

}
