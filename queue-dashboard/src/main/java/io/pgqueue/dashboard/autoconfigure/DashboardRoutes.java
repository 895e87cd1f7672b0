package io.pgqueue.dashboard.autoconfigure;

import java.time.Duration;
import java.util.Collection;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.pgqueue.admin.filter.JobFilter;
import io.pgqueue.autoconfigure.connection.ReadPool;
import io.pgqueue.autoconfigure.measurement.HealthThresholds;
import io.pgqueue.dashboard.api.ActionRoutes;
import io.pgqueue.dashboard.api.Actions;
import io.pgqueue.dashboard.api.FigureReaders;
import io.pgqueue.dashboard.api.Maskers;
import io.pgqueue.dashboard.api.QueueReaders;
import io.pgqueue.dashboard.api.Reads;
import io.pgqueue.dashboard.api.Resource;
import io.pgqueue.dashboard.api.SearchQuota;
import io.pgqueue.dashboard.api.figures.ErrorsApi;
import io.pgqueue.dashboard.api.figures.FiguresApi;
import io.pgqueue.dashboard.api.figures.LanesApi;
import io.pgqueue.dashboard.api.figures.VersionsApi;
import io.pgqueue.dashboard.api.health.AboutDashboard;
import io.pgqueue.dashboard.api.health.HealthApi;
import io.pgqueue.dashboard.api.health.SessionApi;
import io.pgqueue.dashboard.api.health.ShardsApi;
import io.pgqueue.dashboard.api.job.ExportApi;
import io.pgqueue.dashboard.api.job.FlowsApi;
import io.pgqueue.dashboard.api.job.JobsApi;
import io.pgqueue.dashboard.api.operation.BulkApi;
import io.pgqueue.dashboard.api.operation.OperationsApi;
import io.pgqueue.dashboard.api.queue.ForecastApi;
import io.pgqueue.dashboard.api.queue.LimitsApi;
import io.pgqueue.dashboard.api.queue.QueuesApi;
import io.pgqueue.dashboard.api.queue.TypesApi;
import io.pgqueue.dashboard.api.queue.WorkersApi;
import io.pgqueue.dashboard.api.schedule.CalendarApi;
import io.pgqueue.dashboard.api.schedule.SchedulesApi;
import io.pgqueue.dashboard.http.Routes;
import io.pgqueue.engine.admin.AdminDatabase;
import io.pgqueue.engine.admin.DefaultJobAdmin;
import io.pgqueue.engine.admin.DefaultJobLimits;
import io.pgqueue.engine.admin.DefaultQueueOverview;
import io.pgqueue.engine.admin.OverviewStore;
import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.explain.ExplainDatabase;
import io.pgqueue.engine.flow.BatchStore;
import io.pgqueue.engine.flow.DefaultFlowAdmin;
import io.pgqueue.engine.flow.FlowStore;
import io.pgqueue.engine.handler.RegisteredHandler;
import io.pgqueue.engine.job.JobStore;
import io.pgqueue.engine.lease.KeptJobs;
import io.pgqueue.engine.limit.AdmissionStore;
import io.pgqueue.engine.limit.LimitDatabase;
import io.pgqueue.engine.measure.HorizonStore;
import io.pgqueue.engine.measure.MeasurementStore;
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

/**
 * The resources of the API.
 *
 * @param routes the routes of all of them
 */
record DashboardRoutes(Routes routes) {

	static DashboardRoutes of(ReadPool pool, Setup setup) {
		Reads reads = new Reads(pool);
		QueueReaders readers = readers(pool.database());
		ActionRoutes actions = new ActionRoutes(setup.actions, reads);
		SearchQuota quota = new SearchQuota();
		QueuesApi queues = new QueuesApi(reads, readers, setup.maskers, actions, setup.staleAfter);
		Stream<Resource> resources = Stream.of(
				new SessionApi(reads, readers.overview(), setup.about,
						new SessionApi.Features(true, true, true,
								JobFilter.WORDS.stream().filter((word) -> !word.equals("state")).toList()),
						setup.shards::choice),
				new ShardsApi(reads, setup.shards::states),
				new HealthApi(reads, readers, setup.maskers, queues,
						new HealthApi.Rules(setup.thresholds, setup.staleAfter, setup.shards::outbox)),
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
				new VersionsApi(reads, readers.figures()), new CalendarApi(reads, readers),
				new ForecastApi(reads, readers, queues));
		return new DashboardRoutes(new Routes(resources.flatMap((each) -> each.routes().stream()).toList()));
	}

	/** They only read: what they could change is out of reach for the connections. */
	private static QueueReaders readers(QueueDatabase database) {
		JobStore jobs = new JobStore(database, database);
		WakeUps local = WakeUps.ofThisProcess(new AdmissionStore(database));
		DefaultJobAdmin admin = new DefaultJobAdmin(new AdminDatabase(database), new ExplainDatabase(database), jobs,
				new StepStore(database), new WaitStore(database), local);
		return new QueueReaders(new JobSearchStore(database),
				new DefaultOperations(new OperationStore(database), new BulkStore(database)),
				new DefaultQueueOverview(new OverviewStore(database), jobs), admin,
				new DefaultFlowAdmin(new FlowStore(database), admin), new BatchStore(database, database, KeptJobs.NONE),
				new DefaultJobLimits(new LimitDatabase(database), local),
				new ClusterSchedules(new ScheduleStore(database), (request) -> null, local),
				new ClusterWindows(new WindowStore(database)), new MeasurementStore(database),
				new HorizonStore(database), FigureReaders.of(database));
	}

	/**
	 * What the resources need beside the database.
	 *
	 * @param about what the pages say about the application
	 * @param actions does what callers ask for
	 * @param maskers decides what is shown
	 * @param thresholds when something is wrong
	 * @param staleAfter how old the measurement may be
	 * @param handlers the handlers of this process
	 * @param shards the shards, and which of them this is
	 */
	record Setup(AboutDashboard about, Actions actions, Maskers maskers, HealthThresholds thresholds,
			Duration staleAfter, Supplier<Collection<RegisteredHandler>> handlers, KnownShards shards) {

	}

}
