package io.pgqueue.autoconfigure;

import io.pgqueue.JobQueue;
import io.pgqueue.Schedules;
import io.pgqueue.Windows;
import io.pgqueue.admin.DefaultFlowAdmin;
import io.pgqueue.admin.FlowAdmin;
import io.pgqueue.admin.DefaultJobAdmin;
import io.pgqueue.admin.JobAdmin;
import io.pgqueue.admin.DefaultJobLimits;
import io.pgqueue.admin.JobLimits;
import io.pgqueue.admin.DefaultQueueOverview;
import io.pgqueue.admin.QueueOverview;
import io.pgqueue.codec.JacksonPayloadCodec;
import io.pgqueue.enqueue.PayloadWriter;
import io.pgqueue.enqueue.TransactionalJobQueue;
import io.pgqueue.schedule.ClusterSchedules;
import io.pgqueue.schema.SchemaName;
import io.pgqueue.store.AdminStore;
import io.pgqueue.store.FlowStore;
import io.pgqueue.store.JobStore;
import io.pgqueue.store.LimitStore;
import io.pgqueue.store.OverviewStore;
import io.pgqueue.store.QueueDatabase;
import io.pgqueue.store.ScheduleStore;
import io.pgqueue.store.StepStore;
import io.pgqueue.store.WindowStore;
import io.pgqueue.wakeup.WakeUps;
import io.pgqueue.window.ClusterWindows;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Auto-configuration of what applications inject, where the queue is switched off. The
 * application starts, and each use fails with a {@link QueueDisabledException}: a job
 * that was accepted and forgotten would be a lost job.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "queue.enabled", havingValue = false)
public final class QueueDisabledAutoConfiguration {

	private final JdbcTemplate jdbc = new JdbcTemplate(new DisabledDataSource());

	private final QueueDatabase database = new QueueDatabase(this.jdbc, SchemaName.DEFAULT);

	private final JobStore store = new JobStore(this.database, this.database);

	private final LimitStore limits = new LimitStore(this.database);

	private final WakeUps wakeUps = WakeUps.ofThisProcess(this.limits);

	@Bean
	@ConditionalOnMissingBean(JobQueue.class)
	DisabledJobQueue queueJobQueue() {
		return new DisabledJobQueue();
	}

	@Bean
	@ConditionalOnMissingBean(Schedules.class)
	ClusterSchedules queueSchedules() {
		return new ClusterSchedules(new ScheduleStore(this.database),
				new PayloadWriter(new JacksonPayloadCodec(JsonMapper.shared()),
						TransactionalJobQueue.DEFAULT_MAX_PAYLOAD_SIZE)::payload,
				this.wakeUps);
	}

	@Bean
	@ConditionalOnMissingBean(Windows.class)
	ClusterWindows queueWindows() {
		return new ClusterWindows(new WindowStore(this.database));
	}

	@Bean
	JobLimits queueJobLimits() {
		return new DefaultJobLimits(this.limits, this.wakeUps);
	}

	@Bean
	JobAdmin queueJobAdmin() {
		return new DefaultJobAdmin(new AdminStore(this.database), this.store, new StepStore(this.database), this.wakeUps);
	}

	@Bean
	FlowAdmin queueFlowAdmin(JobAdmin jobs) {
		return new DefaultFlowAdmin(new FlowStore(this.database), jobs);
	}

	@Bean
	QueueOverview queueOverview() {
		return new DefaultQueueOverview(new OverviewStore(this.database), this.store);
	}

}
