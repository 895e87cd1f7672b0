package io.rowqueue.admin.autoconfigure;

import io.rowqueue.PayloadEncryption;
import io.rowqueue.admin.FlowAdmin;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.JobEditor;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.operation.Operations;
import io.rowqueue.engine.admin.DefaultFlowAdmin;
import io.rowqueue.engine.admin.DefaultJobAdmin;
import io.rowqueue.engine.admin.DefaultJobChanges;
import io.rowqueue.engine.admin.DefaultJobEditor;
import io.rowqueue.engine.admin.DefaultQueueOverview;
import io.rowqueue.engine.admin.JobEditStore;
import io.rowqueue.engine.admin.OverviewStore;
import io.rowqueue.engine.admin.WrittenPayloads;
import io.rowqueue.engine.control.ChangeScope;
import io.rowqueue.engine.control.PayloadChange;
import io.rowqueue.engine.database.ApplicationDataSource;
import io.rowqueue.engine.database.JoinedTransaction;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.enqueue.Carriage;
import io.rowqueue.engine.enqueue.CheckedPayloads;
import io.rowqueue.engine.operation.BulkStore;
import io.rowqueue.engine.operation.BulkTask;
import io.rowqueue.engine.operation.DefaultOperations;
import io.rowqueue.engine.operation.OperationStore;
import io.rowqueue.engine.search.JobSearchStore;
import io.rowqueue.engine.wakeup.WakeUps;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration of the administration: search, explanations, the editor, operations
 * on many jobs and their task.
 *
 * @since 0.1.0
 */
@AutoConfiguration(beforeName = "io.rowqueue.autoconfigure.QueueAutoConfiguration")
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", matchIfMissing = true)
public final class QueueAdminAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(value = QueueOverview.class, search = SearchStrategy.CURRENT)
	DefaultQueueOverview rowqueueOverview(QueueDatabases databases) {
		return new DefaultQueueOverview(new OverviewStore(databases.worker()));
	}

	@Bean
	@ConditionalOnMissingBean(value = JobAdmin.class, search = SearchStrategy.CURRENT)
	DefaultJobAdmin rowqueueJobAdmin(QueueDatabases databases, ApplicationDataSource application, WakeUps wakeUps,
			CheckedPayloads payloads, ObjectProvider<Carriage> carriage) {
		SingletonSupplier<Carriage> carried = SingletonSupplier.of(() -> carriage.getIfAvailable(() -> Carriage.NONE));
		ChangeScope changes = ChangeScope.joining(databases, new JoinedTransaction(application.dataSource()));
		return new DefaultJobAdmin(databases, changes, wakeUps, PayloadChange.of(changes, payloads),
				() -> carried.obtain().describe());
	}

	@Bean
	@ConditionalOnMissingBean(value = FlowAdmin.class, search = SearchStrategy.CURRENT)
	DefaultFlowAdmin rowqueueFlowAdmin(QueueDatabases databases, WakeUps wakeUps) {
		return new DefaultFlowAdmin(databases.worker(), wakeUps);
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
	DefaultJobEditor rowqueueJobEditor(QueueDatabases databases, WakeUps wakeUps, CheckedPayloads payloads,
			ObjectProvider<PayloadEncryption> encryption) {
		return new DefaultJobEditor(new JobEditStore(databases.worker()), wakeUps, payloads,
				new WrittenPayloads(encryption.getIfAvailable()));
	}

	@Bean
	@ConditionalOnBooleanProperty(name = "rowqueue.worker.enabled", matchIfMissing = true)
	BulkTask rowqueueBulkTask(QueueDatabases databases, WakeUps wakeUps) {
		return new BulkTask(new BulkStore(databases.worker()), new JobSearchStore(databases.worker()),
				new DefaultJobChanges(databases.worker(), wakeUps));
	}

}
