package io.rowqueue.cli;

import javax.sql.DataSource;

import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.engine.admin.AdminDatabase;
import io.rowqueue.engine.admin.DefaultJobAdmin;
import io.rowqueue.engine.admin.DefaultQueueOverview;
import io.rowqueue.engine.admin.OverviewStore;
import io.rowqueue.engine.codec.JacksonPayloadCodec;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.enqueue.PayloadWriter;
import io.rowqueue.engine.enqueue.TransactionalJobQueue;
import io.rowqueue.engine.explain.ExplainDatabase;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.engine.limit.AdmissionStore;
import io.rowqueue.engine.schedule.ClusterSchedules;
import io.rowqueue.engine.schedule.ScheduleStore;
import io.rowqueue.engine.search.JobSearchStore;
import io.rowqueue.engine.signal.WaitStore;
import io.rowqueue.engine.step.StepStore;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.json.JsonMapper;

/** The API of the queue in a database, without a worker and without an application. */
final class Queue {

	private final QueueDatabase database;

	private final JobStore jobs;

	/** Workers find by polling what this process has changed. */
	private final WakeUps wakeUps;

	Queue(DataSource dataSource, SchemaName schema) {
		this.database = new QueueDatabase(new JdbcTemplate(dataSource), schema);
		this.jobs = new JobStore(this.database, this.database);
		this.wakeUps = WakeUps.ofThisProcess(new AdmissionStore(this.database));
	}

	QueueDatabase database() {
		return this.database;
	}

	JobAdmin admin() {
		return new DefaultJobAdmin(new AdminDatabase(this.database), new ExplainDatabase(this.database), this.jobs,
				new StepStore(this.database), new WaitStore(this.database), this.wakeUps);
	}

	JobSearch search() {
		return new JobSearchStore(this.database);
	}

	QueueOverview overview() {
		return new DefaultQueueOverview(new OverviewStore(this.database));
	}

	Schedules schedules() {
		return new ClusterSchedules(new ScheduleStore(this.database),
				new PayloadWriter(new JacksonPayloadCodec(JsonMapper.shared()),
						TransactionalJobQueue.DEFAULT_MAX_PAYLOAD_SIZE)::payload,
				this.wakeUps);
	}

}
