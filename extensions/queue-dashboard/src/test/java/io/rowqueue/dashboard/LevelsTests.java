package io.rowqueue.dashboard;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.rowqueue.dashboard.http.Dashboard;
import io.rowqueue.dashboard.http.Route;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Every route and action asks for its level on the server. */
class LevelsTests {

	private static final List<String> LEVELS = List.of("read", "operate", "admin");

	/** Each action with its level; what it is done to does not have to exist. */
	private static final List<Action> ACTIONS = List.of(Action.of("queues/{name}", "pause", "operate"),
			Action.of("queues/{name}", "resume", "operate"), Action.of("queues/{name}", "retry", "operate"),
			new Action("queues/{name}", "{\"action\": \"limit\", \"limit\": \"5\"}", "admin"),
			Action.of("queues/{name}", "unlimit", "admin"), Action.of("types/{name}", "pause", "operate"),
			Action.of("types/{name}", "resume", "operate"), Action.of("types/{name}", "retry", "operate"),
			new Action("types/{name}", "{\"action\": \"limit\", \"limit\": \"5\"}", "admin"),
			Action.of("types/{name}", "unlimit", "admin"), Action.of("schedules/{name}", "pause", "operate"),
			Action.of("schedules/{name}", "resume", "operate"), Action.of("schedules/{name}", "trigger", "operate"),
			new Action("schedules/{name}",
					"{\"action\": \"backfill\", \"from\": \"2100-01-01T00:00:00Z\", \"until\": \"2100-01-02T00:00:00Z\"}",
					"operate"),
			Action.of("schedules/{name}", "remove", "admin"), Action.of("windows/{name}", "remove", "admin"),
			new Action("limits/{kind}/{name}", "{\"action\": \"limit\", \"limit\": \"5\"}", "admin"),
			Action.of("limits/{kind}/{name}", "unlimit", "admin"),
			new Action("limits/{kind}/{name}", "{\"action\": \"hold\", \"delayMs\": 1}", "operate"),
			Action.of("limits/{kind}/{name}", "release", "operate"), Action.of("holds/{id}", "release", "operate"),
			new Action("weights/{name}", "{\"action\": \"weight\", \"weight\": 1}", "admin"),
			Action.of("jobs/{id}", "erase", "admin"),
			new Action("jobs/{id}", "{\"action\": \"signal\", \"signal\": \"approved\"}", "admin"),
			new Action("operations", "{\"action\": \"erase\", \"target\": {\"ids\": [987654321]}}", "admin"),
			new Action("operations", "{\"action\": \"erase\", \"target\": {\"ids\": [987654321]}, \"dryRun\": true}",
					"admin"),
			Action.of("flows/{id}", "cancel", "operate"), Action.of("flows/{id}", "retry", "operate"),
			Action.of("errors/{id}", "retry", "operate"), Action.of("errors/{id}", "resolve", "operate"),
			Action.of("errors/{id}", "note", "operate"), Action.of("batches/{id}", "cancel", "operate"),
			Action.of("batches/{id}", "close", "operate"), Action.of("jobs/{id}", "retry", "operate"),
			Action.of("jobs/{id}", "cancel", "operate"), Action.of("jobs/{id}", "stack", "operate"),
			new Action("jobs/{id}", "{\"action\": \"reschedule\", \"delayMs\": 1000}", "operate"),
			new Action("jobs/{id}", "{\"action\": \"prioritize\", \"priority\": 5}", "operate"),
			new Action("jobs/{id}", "{\"action\": \"edit\", \"payload\": \"1\", \"revision\": \"live-1\"}", "admin"),
			Action.of("jobs/{id}", "replay", "admin"),
			new Action("jobs", "{\"type\": \"levels\", \"delayMs\": 60000}", "admin"),
			new Action("operations", "{\"action\": \"cancel\", \"target\": {\"ids\": [987654321]}}", "operate"),
			Action.of("workers/{id}", "quiet", "operate"), Action.of("workers/{id}", "resume", "operate"),
			new Action("workers/{id}", "{\"action\": \"slots\", \"slots\": \"*=5\"}", "operate"),
			Action.of("workers/{id}", "restart", "operate"), Action.of("operations/{id}", "stop", "operate"));

	private static final Map<String, String> NAMES = Map.of("queues/{name}", "mail", "types/{name}", "welcome-mail",
			"schedules/{name}", "nightly", "workers/{id}", "34");

	@ParameterizedTest
	@EnumSource
	void nobodySeesAnything(Host.Kind kind) {
		Host host = Hosts.of(kind);
		for (Route route : routes(host)) {
			HttpResponse<String> response = host.send(route.method(), path(route.template(), "some"), body(route),
					Host.FROM_PAGE);
			assertThat(response.statusCode()).as(route.template()).isEqualTo(403);
			assertThat(response.body()).contains("not-allowed").doesNotContain("mail");
		}
		assertThat(host.get("/rowqueue/").statusCode()).isEqualTo(403);
		assertThat(host.get("/rowqueue/assets/x/app.js").statusCode()).isEqualTo(403);
	}

	@ParameterizedTest
	@EnumSource
	void whoMayReadSeesAllResourcesAndChangesNothing(Host.Kind kind) {
		Host host = Hosts.of(kind);
		for (Route route : routes(host)) {
			if (route.method().equals("GET")) {
				assertThat(
						host.get(path(route.template(), NAMES.getOrDefault(route.template(), "1")), Hosts.LEVEL, "read")
							.statusCode())
					.as(route.template())
					.isIn(200, 404);
			}
			else {
				assertThat(host.post(path(route.template(), "some"), body(route), Hosts.LEVEL, "read").statusCode())
					.as(route.template())
					.isEqualTo(403);
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void eachActionNeedsItsLevel(Host.Kind kind) {
		Host host = Hosts.of(kind);
		for (Action action : ACTIONS) {
			for (String level : LEVELS) {
				HttpResponse<String> response = host.post(path(action.template, "987654321"), action.body, Hosts.LEVEL,
						level);
				if (LEVELS.indexOf(level) < LEVELS.indexOf(action.needs)) {
					assertThat(response.statusCode()).as("%s as %s", action, level).isEqualTo(403);
					assertThat(Host.json(response).get("needs").asString()).isIn("operate", action.needs);
				}
				else {
					assertThat(response.statusCode()).as("%s as %s: %s", action, level, response.body())
						.isIn(200, 404, 409);
				}
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void theRightToSeePayloadsIsNoRightToAct(Host.Kind kind) {
		Host host = Hosts.of(kind);
		for (Action action : ACTIONS) {
			assertThat(host.post(path(action.template, "987654321"), action.body, Hosts.LEVEL, "payloads").statusCode())
				.as(action.toString())
				.isEqualTo(403);
		}
	}

	/** A new route is not forgotten here. */
	@ParameterizedTest
	@EnumSource
	void everyRouteThatChangesSomethingIsTested(Host.Kind kind) {
		List<String> changing = new ArrayList<>();
		routes(Hosts.of(kind)).stream()
			.filter((route) -> !route.method().equals("GET"))
			.forEach((route) -> changing.add(route.template()));
		assertThat(ACTIONS).extracting(Action::template).containsAll(changing);
	}

	@ParameterizedTest
	@EnumSource
	void readingChangesNoTable(Host.Kind kind) {
		Host host = Hosts.of(kind);
		Map<String, String> before = host.tables();
		for (Route route : routes(host)) {
			String path = path(route.template(), NAMES.getOrDefault(route.template(), "1"));
			host.get(path, Hosts.LEVEL, "admin");
			host.get(path + "?action=pause", Hosts.LEVEL, "admin");
			host.send("HEAD", path, null, Hosts.LEVEL, "admin");
		}
		assertThat(host.tables()).isEqualTo(before);
	}

	private static List<Route> routes(Host host) {
		return host.bean(Dashboard.class).api().routes().all();
	}

	private static String path(String template, String name) {
		return "/rowqueue/api/" + template.replace("{kind}", "queue").replaceAll("\\{\\w+}", name);
	}

	private static String body(Route route) {
		return route.method().equals("GET") ? null : "{\"action\": \"pause\"}";
	}

	private record Action(String template, String body, String needs) {

		static Action of(String template, String action, String needs) {
			return new Action(template, "{\"action\": \"" + action + "\"}", needs);
		}

	}

}
