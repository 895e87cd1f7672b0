package io.rowqueue.cli;

import javax.sql.DataSource;

import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.engine.admin.DefaultJobAdmin;
import io.rowqueue.engine.admin.DefaultQueueOverview;
import io.rowqueue.engine.admin.OverviewStore;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.enqueue.CheckedPayloads;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.schedule.ClusterSchedules;
import io.rowqueue.engine.schedule.ScheduleStore;
import io.rowqueue.engine.search.JobSearchStore;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.engine.wakeup.WakeUpStore;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcTemplate;

/** The API of the queue in a database, without a worker and without an application. */
final class Queue {

	private final QueueDatabase database;

	private final WakeUps wakeUps;

	private final Arrivals.Builder arrivals = new Arrivals.Builder();

	Queue(DataSource dataSource, SchemaName schema) {
		this.database = new QueueDatabase(new JdbcTemplate(dataSource), schema);
		this.wakeUps = WakeUps.ofThisProcess(this.database);
		this.wakeUps.listen(this.arrivals::add);
	}

	/**
	 * Notifies workers of what was changed: there is one connection, which a thread that
	 * notifies could not share.
	 */
	void wakeWorkers() {
		Arrivals changed = this.arrivals.build();
		if (!changed.isEmpty()) {
			this.arrivals.addDeferred();
			new WakeUpStore(this.database, StoreListener.NONE).wakeUp(this.arrivals.build());
		}
	}

	QueueDatabase database() {
		return this.database;
	}

	JobAdmin admin() {
		return new DefaultJobAdmin(this.database, this.wakeUps);
	}

	JobSearch search() {
		return new JobSearchStore(this.database);
	}

	QueueOverview overview() {
		return new DefaultQueueOverview(new OverviewStore(this.database));
	}

	Schedules schedules() {
		return new ClusterSchedules(new ScheduleStore(this.database), CheckedPayloads.ofDefaults(), this.wakeUps);
	}

}
