package io.rowqueue.autoconfigure.disabled;

import io.rowqueue.JobQueue;
import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.JobEditor;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.operation.Operations;
import io.rowqueue.engine.admin.DefaultJobAdmin;
import io.rowqueue.engine.admin.DefaultJobEditor;
import io.rowqueue.engine.admin.DefaultQueueOverview;
import io.rowqueue.engine.admin.JobEditStore;
import io.rowqueue.engine.admin.OverviewStore;
import io.rowqueue.engine.codec.JacksonPayloadCodec;
import io.rowqueue.engine.codec.WrittenPayloads;
import io.rowqueue.engine.control.DefaultJobLimits;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.enqueue.PayloadWriter;
import io.rowqueue.engine.flow.DefaultFlowAdmin;
import io.rowqueue.engine.flow.FlowStore;
import io.rowqueue.engine.limit.AdmissionStore;
import io.rowqueue.engine.operation.BulkStore;
import io.rowqueue.engine.operation.DefaultOperations;
import io.rowqueue.engine.operation.OperationStore;
import io.rowqueue.engine.schedule.ClusterSchedules;
import io.rowqueue.engine.schedule.ScheduleStore;
import io.rowqueue.engine.search.JobSearchStore;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.engine.window.ClusterWindows;
import io.rowqueue.engine.window.WindowStore;
import io.rowqueue.flow.FlowAdmin;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.schema.SchemaName;
import io.rowqueue.window.Windows;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.json.JsonMapper;

/**
 * Auto-configuration of what applications inject, where the queue is switched off. The
 * application starts, and each use fails with a {@link QueueDisabledException}: a job
 * that was accepted and forgotten would be a lost job.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", havingValue = false)
public final class QueueDisabledAutoConfiguration {

	private final JdbcTemplate jdbc = new JdbcTemplate(new DisabledDataSource());

	private final QueueDatabase database = new QueueDatabase(this.jdbc, SchemaName.DEFAULT);

	private final WakeUps wakeUps = WakeUps.ofThisProcess(new AdmissionStore(this.database));

	@Bean
	@ConditionalOnMissingBean(JobQueue.class)
	DisabledJobQueue rowqueueJobQueue() {
		return new DisabledJobQueue();
	}

	@Bean
	@ConditionalOnMissingBean(Schedules.class)
	ClusterSchedules rowqueueSchedules() {
		return new ClusterSchedules(new ScheduleStore(this.database),
				new PayloadWriter(new JacksonPayloadCodec(JsonMapper.shared()),
						PayloadWriter.DEFAULT_MAX_SIZE)::payload,
				this.wakeUps);
	}

	@Bean
	@ConditionalOnMissingBean(Windows.class)
	ClusterWindows rowqueueWindows() {
		return new ClusterWindows(new WindowStore(this.database));
	}

	@Bean
	@ConditionalOnMissingBean(JobLimits.class)
	DefaultJobLimits rowqueueJobLimits() {
		return new DefaultJobLimits(this.database, this.wakeUps);
	}

	@Bean
	@ConditionalOnMissingBean(JobAdmin.class)
	DefaultJobAdmin rowqueueJobAdmin() {
		return new DefaultJobAdmin(this.database, this.wakeUps);
	}

	@Bean
	@ConditionalOnMissingBean(JobSearch.class)
	JobSearchStore rowqueueJobSearch() {
		return new JobSearchStore(this.database);
	}

	@Bean
	@ConditionalOnMissingBean(Operations.class)
	DefaultOperations rowqueueOperations() {
		return new DefaultOperations(new OperationStore(this.database), new BulkStore(this.database));
	}

	@Bean
	@ConditionalOnMissingBean(JobEditor.class)
	DefaultJobEditor rowqueueJobEditor() {
		return new DefaultJobEditor(new JobEditStore(this.database), this.wakeUps, (type, payload) -> {
		}, PayloadWriter.DEFAULT_MAX_SIZE, new WrittenPayloads(null));
	}

	@Bean
	@ConditionalOnMissingBean(FlowAdmin.class)
	DefaultFlowAdmin rowqueueFlowAdmin(JobAdmin jobs) {
		return new DefaultFlowAdmin(new FlowStore(this.database), jobs);
	}

	@Bean
	@ConditionalOnMissingBean(QueueOverview.class)
	DefaultQueueOverview rowqueueOverview() {
		return new DefaultQueueOverview(new OverviewStore(this.database));
	}

}
