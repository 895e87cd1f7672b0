package io.rowqueue.admin.autoconfigure;

import io.rowqueue.admin.FlowAdmin;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.JobEditor;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.operation.Operations;
import io.rowqueue.engine.admin.DefaultFlowAdmin;
import io.rowqueue.engine.admin.DefaultJobAdmin;
import io.rowqueue.engine.admin.DefaultJobEditor;
import io.rowqueue.engine.admin.DefaultQueueOverview;
import io.rowqueue.engine.admin.JobEditStore;
import io.rowqueue.engine.admin.OverviewStore;
import io.rowqueue.engine.admin.WrittenPayloads;
import io.rowqueue.engine.database.DisabledDataSource;
import io.rowqueue.engine.enqueue.CheckedPayloads;
import io.rowqueue.engine.operation.BulkStore;
import io.rowqueue.engine.operation.DefaultOperations;
import io.rowqueue.engine.operation.OperationStore;
import io.rowqueue.engine.search.JobSearchStore;
import io.rowqueue.engine.wakeup.WakeUps;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the administration where the queue is switched off: each use
 * fails.
 *
 * @since 0.1.0
 */
@AutoConfiguration(beforeName = "io.rowqueue.autoconfigure.disabled.QueueDisabledAutoConfiguration")
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", havingValue = false)
public final class QueueAdminDisabledAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(JobAdmin.class)
	DefaultJobAdmin rowqueueJobAdmin() {
		return new DefaultJobAdmin(DisabledDataSource.DATABASE, WakeUps.ofThisProcess(DisabledDataSource.DATABASE));
	}

	@Bean
	@ConditionalOnMissingBean(FlowAdmin.class)
	DefaultFlowAdmin rowqueueFlowAdmin() {
		return new DefaultFlowAdmin(DisabledDataSource.DATABASE, WakeUps.ofThisProcess(DisabledDataSource.DATABASE));
	}

	@Bean
	@ConditionalOnMissingBean(JobSearch.class)
	JobSearchStore rowqueueJobSearch() {
		return new JobSearchStore(DisabledDataSource.DATABASE);
	}

	@Bean
	@ConditionalOnMissingBean(Operations.class)
	DefaultOperations rowqueueOperations() {
		return new DefaultOperations(new OperationStore(DisabledDataSource.DATABASE),
				new BulkStore(DisabledDataSource.DATABASE));
	}

	@Bean
	@ConditionalOnMissingBean(JobEditor.class)
	DefaultJobEditor rowqueueJobEditor() {
		return new DefaultJobEditor(new JobEditStore(DisabledDataSource.DATABASE),
				WakeUps.ofThisProcess(DisabledDataSource.DATABASE), CheckedPayloads.ofDefaults(),
				new WrittenPayloads(null));
	}

	@Bean
	@ConditionalOnMissingBean(QueueOverview.class)
	DefaultQueueOverview rowqueueOverview() {
		return new DefaultQueueOverview(new OverviewStore(DisabledDataSource.DATABASE));
	}

}
