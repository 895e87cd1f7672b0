package io.pgqueue.dashboard.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import io.pgqueue.admin.QueueOverview;
import io.pgqueue.autoconfigure.ReadPool;
import io.pgqueue.dashboard.api.AboutDashboard;
import io.pgqueue.dashboard.api.Reads;
import io.pgqueue.dashboard.api.Resource;
import io.pgqueue.dashboard.api.SessionApi;
import io.pgqueue.dashboard.http.Routes;
import io.pgqueue.engine.admin.DefaultQueueOverview;
import io.pgqueue.engine.admin.OverviewStore;
import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.job.JobStore;

/**
 * The resources of the API, which read over the dashboard's own connections.
 *
 * @param routes the routes of all of them
 */
record DashboardRoutes(Routes routes) {

	static DashboardRoutes of(ReadPool pool, AboutDashboard about) {
		QueueDatabase database = pool.database();
		Reads reads = new Reads(pool);
		JobStore jobs = new JobStore(database, database);
		QueueOverview overview = new DefaultQueueOverview(new OverviewStore(database), jobs);
		SessionApi.Features features = new SessionApi.Features(false, false, false, false, List.of());
		Stream<Resource> resources = Stream.of(new SessionApi(reads, overview, about, features));
		return new DashboardRoutes(new Routes(resources.flatMap((each) -> each.routes().stream()).toList()));
	}

}
