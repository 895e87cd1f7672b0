package io.pgqueue.dashboard;

import java.net.http.HttpResponse;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Without any setting the dashboard answers requests of this machine, and no others. */
class LocalTests {

	private static final String ROOT = "/shop/pgqueue/";

	@ParameterizedTest
	@EnumSource
	void thisMachineMayDoAllExceptSeePayloads(Host.Kind kind) {
		HttpResponse<String> session = Hosts.belowContextPath(kind).get(ROOT + "api/session", "Host", "localhost");
		assertThat(session.statusCode()).isEqualTo(200);
		assertThat(session.body()).contains("\"user\":\"local\"")
			.contains("\"levels\":[\"read\",\"operate\",\"admin\"]");
	}

	@ParameterizedTest
	@EnumSource
	void othersSeeNothing(Host.Kind kind) {
		Host host = Hosts.belowContextPath(kind);
		for (String path : new String[] { "", "jobs/42", "api/session", "api/nothing", "assets/x/app.js" }) {
			nothing(host.get(ROOT + path, "Host", "shop.example.org"));
			nothing(host.get(ROOT + path, "Host", "localhost", "X-Forwarded-For", "10.0.0.7"));
			nothing(host.get(ROOT + path, "Host", "localhost", "Forwarded", "for=10.0.0.7"));
		}
		nothing(host.post(ROOT + "api/queues/mail", "{\"action\": \"pause\"}", "Host", "shop.example.org"));
	}

	private static void nothing(HttpResponse<String> response) {
		assertThat(response.statusCode()).isEqualTo(404);
		assertThat(response.body()).isEmpty();
	}

}
