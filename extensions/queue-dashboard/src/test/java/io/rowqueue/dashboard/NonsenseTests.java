package io.rowqueue.dashboard;

import java.net.http.HttpResponse;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A request that makes no sense is a mistake of its sender, and neither one of the
 * application nor trouble with the database.
 */
class NonsenseTests {

	private static final String API = "/rowqueue/api/";

	@ParameterizedTest
	@EnumSource
	void aParameterThatCannotBeStoredIsRefused(Host.Kind kind) {
		for (String path : List.of("jobs?type=%00", "jobs?q=a%00", "figures?queue=%00", "figures?type=a%00b",
				"errors?type=%00", "errors?q=%00", "operations?who=%00", "operations?action=%00",
				"operations?kind=jobs&name=%00", "versions?a=%00", "jobs?header=a%00%3Db")) {
			refused(Hosts.of(kind).get(API + path, Hosts.LEVEL, "everything"), path);
		}
	}

	@ParameterizedTest
	@EnumSource
	void nothingHasANameThatCannotBeStored(Host.Kind kind) {
		Host host = Hosts.of(kind);
		for (String path : List.of("queues/a~00b", "types/~00", "schedules/~00", "schedules/~00/fires")) {
			assertThat(host.get(API + path, Hosts.LEVEL, "read").statusCode()).as(path).isEqualTo(404);
		}
		for (String path : List.of("queues/a~00b", "types/~00", "schedules/~00")) {
			HttpResponse<String> response = host.post(API + path, "{\"action\": \"pause\"}", Hosts.LEVEL, "operate");
			assertThat(response.statusCode()).as(path + ": " + response.body()).isEqualTo(404);
		}
	}

	@ParameterizedTest
	@EnumSource
	void aBodyThatCannotBeStoredIsRefused(Host.Kind kind) {
		for (String text : List.of("\\u0000", "half \\ud800")) {
			for (String[] request : new String[][] { { "queues/mail", "\"action\": \"pause\", \"reason\": \"%s\"" },
					{ "limits/key/customer:9", "\"action\": \"hold\", \"delayMs\": 1, \"reason\": \"%s\"" },
					{ "errors/1", "\"action\": \"note\", \"reason\": \"%s\"" }, { "jobs", "\"type\": \"%s\"" },
					{ "jobs", "\"type\": \"report\", \"reason\": \"%s\"" },
					{ "operations", "\"action\": \"retry\", \"target\": {\"filter\": \"state=failed&type=%s\"}" },
					{ "operations",
							"\"action\": \"retry\", \"target\": {\"filter\": \"type=x\"}, \"reason\": \"%s\"" } }) {
				refused(Hosts.of(kind)
					.post(API + request[0], "{" + request[1].formatted(text) + "}", Hosts.LEVEL, "everything"),
						request[0] + request[1]);
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void aTimeThatIsTooFarAwayIsRefused(Host.Kind kind) {
		for (String path : List.of("calendar?from=%2B999999999-12-31T00:00:00Z",
				"calendar?from=-999999999-01-01T00:00:00Z", "jobs?created=%2B400000-01-01T00:00Z..",
				"schedules/nightly/backfill?from=1960-01-01T00:00:00Z&until=1961-01-01T00:00:00Z",
				"schedules/nightly/backfill?from=2026-01-01T00:00:00Z&until=9000-01-01T00:00:00Z")) {
			refused(Hosts.of(kind).get(API + path, Hosts.LEVEL, "read"), path);
		}
	}

	private static void refused(HttpResponse<String> response, String what) {
		assertThat(response.statusCode()).as(what + ": " + response.body()).isEqualTo(400);
		assertThat(response.body()).as(what).contains("urn:rowqueue:problem:invalid-request");
	}

}
