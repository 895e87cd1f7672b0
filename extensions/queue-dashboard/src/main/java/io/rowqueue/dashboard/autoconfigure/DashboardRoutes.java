package io.rowqueue.dashboard.autoconfigure;

import java.time.Duration;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.autoconfigure.connection.ReadPool;
import io.rowqueue.dashboard.api.ActionRoutes;
import io.rowqueue.dashboard.api.Actions;
import io.rowqueue.dashboard.api.FigureReaders;
import io.rowqueue.dashboard.api.Maskers;
import io.rowqueue.dashboard.api.QueueReaders;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.Resource;
import io.rowqueue.dashboard.api.SearchQuota;
import io.rowqueue.dashboard.api.figures.ErrorsApi;
import io.rowqueue.dashboard.api.figures.FiguresApi;
import io.rowqueue.dashboard.api.figures.LanesApi;
import io.rowqueue.dashboard.api.figures.VersionsApi;
import io.rowqueue.dashboard.api.health.AboutDashboard;
import io.rowqueue.dashboard.api.health.HealthApi;
import io.rowqueue.dashboard.api.health.SessionApi;
import io.rowqueue.dashboard.api.health.ShardsApi;
import io.rowqueue.dashboard.api.job.ExportApi;
import io.rowqueue.dashboard.api.job.FlowsApi;
import io.rowqueue.dashboard.api.job.JobsApi;
import io.rowqueue.dashboard.api.operation.BulkApi;
import io.rowqueue.dashboard.api.operation.OperationsApi;
import io.rowqueue.dashboard.api.queue.LimitsApi;
import io.rowqueue.dashboard.api.queue.QueuesApi;
import io.rowqueue.dashboard.api.queue.TypesApi;
import io.rowqueue.dashboard.api.queue.WorkersApi;
import io.rowqueue.dashboard.api.schedule.CalendarApi;
import io.rowqueue.dashboard.api.schedule.SchedulesApi;
import io.rowqueue.dashboard.http.Routes;
import io.rowqueue.engine.admin.DefaultFlowAdmin;
import io.rowqueue.engine.admin.DefaultJobAdmin;
import io.rowqueue.engine.admin.DefaultQueueOverview;
import io.rowqueue.engine.admin.OverviewStore;
import io.rowqueue.engine.control.DefaultJobLimits;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.enqueue.CheckedPayloads;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.job.BatchStore;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.measure.HorizonStore;
import io.rowqueue.engine.measure.MeasurementStore;
import io.rowqueue.engine.measure.Measurements;
import io.rowqueue.engine.operation.BulkStore;
import io.rowqueue.engine.operation.DefaultOperations;
import io.rowqueue.engine.operation.OperationStore;
import io.rowqueue.engine.schedule.ClusterSchedules;
import io.rowqueue.engine.schedule.ScheduleStore;
import io.rowqueue.engine.search.JobSearchStore;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.engine.window.ClusterWindows;
import io.rowqueue.engine.window.WindowStore;
import io.rowqueue.monitoring.autoconfigure.measurement.HealthThresholds;

/**
 * The resources of the API.
 *
 * @param routes the routes of all of them
 */
record DashboardRoutes(Routes routes) {

	static DashboardRoutes of(ReadPool pool, Setup setup) {
		Reads reads = new Reads(pool);
		QueueReaders readers = readers(pool.database(), setup.measurements);
		ActionRoutes actions = new ActionRoutes(setup.actions, reads);
		SearchQuota quota = new SearchQuota();
		QueuesApi queues = new QueuesApi(reads, readers, setup.maskers, actions, setup.staleAfter);
		Stream<Resource> resources = Stream.of(new SessionApi(reads, readers.overview(), setup.about,
				JobFilter.WORDS.stream().filter((word) -> !word.equals("state")).toList(), setup.shards::choice),
				new ShardsApi(reads, setup.shards::states),
				new HealthApi(reads, readers, setup.maskers, queues,
						new HealthApi.Rules(setup.thresholds, setup.staleAfter)),
				queues, new TypesApi(reads, readers, setup.maskers, actions, setup.handlers),
				new WorkersApi(reads, readers, setup.maskers, actions),
				new SchedulesApi(reads, readers, setup.maskers, actions),
				new LimitsApi(reads, readers, setup.maskers, actions),
				new ExportApi(reads, readers, setup.maskers, quota),
				new JobsApi(reads, readers, setup.maskers, actions, quota),
				new OperationsApi(reads, readers.operations(), setup.maskers),
				new BulkApi(reads, readers, setup.maskers, setup.actions, actions, quota),
				new FlowsApi(reads, readers, setup.maskers, actions), new FiguresApi(reads, readers.figures()),
				new ErrorsApi(reads, readers.figures(), setup.maskers, actions), new LanesApi(reads, readers),
				new VersionsApi(reads, readers.figures()), new CalendarApi(reads, readers));
		return new DashboardRoutes(new Routes(resources.flatMap((each) -> each.routes().stream()).toList()));
	}

	/** They only read: what they could change is out of reach for the connections. */
	private static QueueReaders readers(QueueDatabase database, Measurements measurements) {
		MeasurementStore measured = new MeasurementStore(database);
		WakeUps local = WakeUps.ofThisProcess(database);
		DefaultJobAdmin admin = new DefaultJobAdmin(database, local);
		return new QueueReaders(new JobSearchStore(database),
				new DefaultOperations(new OperationStore(database), new BulkStore(database)),
				new DefaultQueueOverview(new OverviewStore(database)), admin, new DefaultFlowAdmin(database, local),
				new BatchStore(QueueDatabases.of(database), KeptJobs.NONE), new DefaultJobLimits(database, local),
				new ClusterSchedules(new ScheduleStore(database), CheckedPayloads.ofDefaults(), local),
				new ClusterWindows(new WindowStore(database)), () -> {
					measurements.request();
					return measured.read();
				}, new HorizonStore(database), FigureReaders.of(database));
	}

	/**
	 * What the resources need beside the database.
	 *
	 * @param about what the pages say about the application
	 * @param actions does what callers ask for
	 * @param maskers decides what is shown
	 * @param thresholds when something is wrong
	 * @param measurements asked for the first measurement
	 * @param staleAfter how old the measurement may be
	 * @param handlers the handlers of this process
	 * @param shards the shards, and which of them this is
	 */
	record Setup(AboutDashboard about, Actions actions, Maskers maskers, HealthThresholds thresholds,
			Measurements measurements, Duration staleAfter, Supplier<HandlerRegistry> handlers, KnownShards shards) {

	}

}
