package io.rowqueue.dashboard;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.rowqueue.admin.WrittenJob;
import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.autoconfigure.connection.ReadPool;
import io.rowqueue.autoconfigure.connection.ReadPools;
import io.rowqueue.dashboard.api.ActionBody;
import io.rowqueue.dashboard.api.ActionRoutes;
import io.rowqueue.dashboard.api.Actions;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.http.Api;
import io.rowqueue.dashboard.http.ApiCall;
import io.rowqueue.dashboard.http.Content;
import io.rowqueue.dashboard.http.Dashboard;
import io.rowqueue.dashboard.http.DashboardRequest;
import io.rowqueue.dashboard.http.DashboardResponse;
import io.rowqueue.dashboard.http.Gate;
import io.rowqueue.dashboard.http.Json;
import io.rowqueue.dashboard.http.Pages;
import io.rowqueue.dashboard.http.Routes;
import io.rowqueue.dashboard.http.SecurityHeaders;
import io.rowqueue.dashboard.http.Shards;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** An action that was done is answered as done. */
class DoneActionsTests {

	private static final Gate EVERYONE = new Gate() {

		@Override
		public DashboardRights rights(DashboardCaller caller) {
			return DashboardRights.of(Level.ADMIN);
		}

		@Override
		public @Nullable String refusal(DashboardCaller caller) {
			return null;
		}

	};

	private static final Pages NONE = new Pages() {

		@Override
		public DashboardResponse page(String path, String up) {
			return DashboardResponse.empty(404);
		}

		@Override
		public DashboardResponse asset(String path, String acceptEncoding) {
			return DashboardResponse.empty(404);
		}

		@Override
		public DashboardResponse refusal(String detail) {
			return DashboardResponse.empty(404);
		}

	};

	/** Whoever reads that it failed does it again, and triggers a second job. */
	@Test
	void alsoIfNothingCanBeReadAfterwards() {
		ReadPool pool = Hosts.of(Host.Kind.SERVLET)
			.bean(ReadPools.class)
			.create("rowqueue-gone", 1, Duration.ofSeconds(20));
		ActionRoutes routes = new ActionRoutes(new AndThenAway(pool), new Reads(pool));
		Dashboard dashboard = new Dashboard("/rowqueue", EVERYONE,
				new Api(new Routes(List
					.of(routes.post("schedules/{name}", "name", "schedules", Map.of("trigger", Level.OPERATE)))),
						new Json()),
				Shards.NONE, NONE, new SecurityHeaders("'none'"));
		DashboardResponse response = dashboard.handle(new DashboardRequest("POST", "api/schedules/nightly", Map.of(),
				Content.of("{\"action\": \"trigger\"}"), new Program(), null, false));
		assertThat(response.status()).as(response.body().toString()).isEqualTo(200);
		assertThat(response.body().toString()).contains("\"outcome\":\"triggered\"");
	}

	/** The connections of the dashboard are gone as soon as it has acted. */
	private record AndThenAway(ReadPool pool) implements Actions {

		@Override
		public Done perform(Action action, ApiCall call) {
			this.pool.close();
			return new Done("triggered", "Triggered.", null, 42L, 7L);
		}

		@Override
		public long start(ActionBody body, JobFilter filter, @Nullable Long mostJobs, ApiCall call) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Done enqueue(WrittenJob job, @Nullable String reason, ApiCall call) {
			throw new UnsupportedOperationException();
		}

	}

	/** Acts without a browser. */
	private record Program() implements DashboardCaller {

		private static final Map<String, String> HEADERS = Map.of("content-type", "application/json", "queue-dashboard",
				"1");

		@Override
		public @Nullable String name() {
			return null;
		}

		@Override
		public @Nullable String address() {
			return "127.0.0.1";
		}

		@Override
		public boolean isForwarded() {
			return false;
		}

		@Override
		public boolean isInRole(String role) {
			return false;
		}

		@Override
		public @Nullable String header(String name) {
			return HEADERS.get(name.toLowerCase(Locale.ROOT));
		}

	}

}
