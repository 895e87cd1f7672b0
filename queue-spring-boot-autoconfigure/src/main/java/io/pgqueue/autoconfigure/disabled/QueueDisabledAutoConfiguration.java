package io.pgqueue.autoconfigure.disabled;

import io.pgqueue.JobQueue;
import io.pgqueue.PayloadCodec;
import io.pgqueue.admin.JobAdmin;
import io.pgqueue.admin.JobEditor;
import io.pgqueue.admin.JobSearch;
import io.pgqueue.admin.QueueOverview;
import io.pgqueue.admin.operation.Operations;
import io.pgqueue.engine.admin.AdminDatabase;
import io.pgqueue.engine.admin.DefaultJobAdmin;
import io.pgqueue.engine.admin.DefaultJobEditor;
import io.pgqueue.engine.admin.DefaultJobLimits;
import io.pgqueue.engine.admin.DefaultQueueOverview;
import io.pgqueue.engine.admin.JobEditStore;
import io.pgqueue.engine.admin.OverviewStore;
import io.pgqueue.engine.codec.JacksonPayloadCodec;
import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.enqueue.PayloadWriter;
import io.pgqueue.engine.enqueue.TransactionalJobQueue;
import io.pgqueue.engine.explain.ExplainDatabase;
import io.pgqueue.engine.flow.DefaultFlowAdmin;
import io.pgqueue.engine.flow.FlowStore;
import io.pgqueue.engine.job.JobStore;
import io.pgqueue.engine.limit.AdmissionStore;
import io.pgqueue.engine.limit.LimitDatabase;
import io.pgqueue.engine.operation.BulkStore;
import io.pgqueue.engine.operation.DefaultOperations;
import io.pgqueue.engine.operation.OperationStore;
import io.pgqueue.engine.schedule.ClusterSchedules;
import io.pgqueue.engine.schedule.ScheduleStore;
import io.pgqueue.engine.search.JobSearchStore;
import io.pgqueue.engine.signal.WaitStore;
import io.pgqueue.engine.step.StepStore;
import io.pgqueue.engine.wakeup.WakeUps;
import io.pgqueue.engine.window.ClusterWindows;
import io.pgqueue.engine.window.WindowStore;
import io.pgqueue.flow.FlowAdmin;
import io.pgqueue.limit.JobLimits;
import io.pgqueue.schedule.Schedules;
import io.pgqueue.schema.SchemaName;
import io.pgqueue.window.Windows;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.json.JsonMapper;

/**
 * Auto-configuration of what applications inject, where the queue is switched off. The
 * application starts, and each use fails with a {@link QueueDisabledException}: a job
 * that was accepted and forgotten would be a lost job. Tests and development profiles can
 * record jobs instead.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "pgqueue.enabled", havingValue = false)
public final class QueueDisabledAutoConfiguration {

	private final JdbcTemplate jdbc = new JdbcTemplate(new DisabledDataSource());

	private final QueueDatabase database = new QueueDatabase(this.jdbc, SchemaName.DEFAULT);

	private final JobStore store = new JobStore(this.database, this.database);

	private final WakeUps wakeUps = WakeUps.ofThisProcess(new AdmissionStore(this.database));

	@Bean
	@ConditionalOnMissingBean(JobQueue.class)
	@ConditionalOnProperty(name = "pgqueue.disabled-mode", havingValue = "record")
	RecordingJobQueue pgqueueRecordingJobQueue(ObjectProvider<PayloadCodec> codec, ObjectProvider<JsonMapper> mapper) {
		return new RecordingJobQueue(
				codec.getIfAvailable(() -> new JacksonPayloadCodec(mapper.getIfAvailable(JsonMapper::shared))));
	}

	@Bean
	@ConditionalOnMissingBean(JobQueue.class)
	DisabledJobQueue pgqueueJobQueue() {
		return new DisabledJobQueue();
	}

	@Bean
	@ConditionalOnMissingBean(Schedules.class)
	ClusterSchedules pgqueueSchedules() {
		return new ClusterSchedules(new ScheduleStore(this.database),
				new PayloadWriter(new JacksonPayloadCodec(JsonMapper.shared()),
						TransactionalJobQueue.DEFAULT_MAX_PAYLOAD_SIZE)::payload,
				this.wakeUps);
	}

	@Bean
	@ConditionalOnMissingBean(Windows.class)
	ClusterWindows pgqueueWindows() {
		return new ClusterWindows(new WindowStore(this.database));
	}

	@Bean
	@ConditionalOnMissingBean(JobLimits.class)
	DefaultJobLimits pgqueueJobLimits() {
		return new DefaultJobLimits(new LimitDatabase(this.database), this.wakeUps);
	}

	@Bean
	@ConditionalOnMissingBean(JobAdmin.class)
	DefaultJobAdmin pgqueueJobAdmin(ObjectProvider<RecordingJobQueue> recording) {
		RecordingJobQueue queue = recording.getIfAvailable();
		if (queue != null) {
			return new RecordingJobAdmin(queue.recorded(), this.database, this.store, this.wakeUps);
		}
		return new DefaultJobAdmin(new AdminDatabase(this.database), new ExplainDatabase(this.database), this.store,
				new StepStore(this.database), new WaitStore(this.database), this.wakeUps);
	}

	@Bean
	@ConditionalOnMissingBean(JobSearch.class)
	JobSearchStore pgqueueJobSearch() {
		return new JobSearchStore(this.database);
	}

	@Bean
	@ConditionalOnMissingBean(Operations.class)
	DefaultOperations pgqueueOperations() {
		return new DefaultOperations(new OperationStore(this.database), new BulkStore(this.database));
	}

	@Bean
	@ConditionalOnMissingBean(JobEditor.class)
	DefaultJobEditor pgqueueJobEditor() {
		return new DefaultJobEditor(new JobEditStore(this.database), this.wakeUps, (type, payload) -> {
		}, TransactionalJobQueue.DEFAULT_MAX_PAYLOAD_SIZE);
	}

	@Bean
	@ConditionalOnMissingBean(FlowAdmin.class)
	DefaultFlowAdmin pgqueueFlowAdmin(JobAdmin jobs) {
		return new DefaultFlowAdmin(new FlowStore(this.database), jobs);
	}

	@Bean
	@ConditionalOnMissingBean(QueueOverview.class)
	DefaultQueueOverview pgqueueOverview() {
		return new DefaultQueueOverview(new OverviewStore(this.database), this.store);
	}

}
