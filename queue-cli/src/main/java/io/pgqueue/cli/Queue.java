package io.pgqueue.cli;

import javax.sql.DataSource;

import io.pgqueue.admin.JobAdmin;
import io.pgqueue.admin.JobSearch;
import io.pgqueue.admin.QueueOverview;
import io.pgqueue.engine.admin.AdminDatabase;
import io.pgqueue.engine.admin.DefaultJobAdmin;
import io.pgqueue.engine.admin.DefaultQueueOverview;
import io.pgqueue.engine.admin.OverviewStore;
import io.pgqueue.engine.codec.JacksonPayloadCodec;
import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.enqueue.PayloadWriter;
import io.pgqueue.engine.enqueue.TransactionalJobQueue;
import io.pgqueue.engine.explain.ExplainDatabase;
import io.pgqueue.engine.job.JobStore;
import io.pgqueue.engine.limit.AdmissionStore;
import io.pgqueue.engine.schedule.ClusterSchedules;
import io.pgqueue.engine.schedule.ScheduleStore;
import io.pgqueue.engine.search.JobSearchStore;
import io.pgqueue.engine.signal.WaitStore;
import io.pgqueue.engine.step.StepStore;
import io.pgqueue.engine.wakeup.WakeUps;
import io.pgqueue.schedule.Schedules;
import io.pgqueue.schema.SchemaName;
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
		return new DefaultQueueOverview(new OverviewStore(this.database), this.jobs);
	}

	Schedules schedules() {
		return new ClusterSchedules(new ScheduleStore(this.database),
				new PayloadWriter(new JacksonPayloadCodec(JsonMapper.shared()),
						TransactionalJobQueue.DEFAULT_MAX_PAYLOAD_SIZE)::payload,
				this.wakeUps);
	}

}
