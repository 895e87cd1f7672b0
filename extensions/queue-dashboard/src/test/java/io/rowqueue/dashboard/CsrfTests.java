package io.rowqueue.dashboard;

import java.net.http.HttpResponse;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Another site cannot send actions by a visitor's browser. */
class CsrfTests {

	private static final String RESUME = "{\"action\": \"resume\"}";

	@ParameterizedTest
	@EnumSource
	void aPageOfTheDashboardMayAct(Host.Kind kind) {
		assertThat(post(kind, "application/json", "1", "Sec-Fetch-Site", "same-origin").statusCode()).isEqualTo(200);
		assertThat(post(kind, "application/json;charset=UTF-8", "1", "Sec-Fetch-Site", "same-origin").statusCode())
			.isEqualTo(200);
	}

	/** No browser: it has no visitor whose session it could use. */
	@ParameterizedTest
	@EnumSource
	void aProgramMayAct(Host.Kind kind) {
		assertThat(post(kind, "application/json", "1").statusCode()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource
	void aFormOfAnotherSiteMayNot(Host.Kind kind) {
		refused(post(kind, "text/plain", "1"));
		refused(post(kind, "application/x-www-form-urlencoded", "1"));
		refused(post(kind, "application/json", null));
		refused(post(kind, "application/json", "0"));
	}

	@ParameterizedTest
	@EnumSource
	void aScriptOfAnotherSiteMayNot(Host.Kind kind) {
		refused(post(kind, "application/json", "1", "Sec-Fetch-Site", "cross-site"));
		refused(post(kind, "application/json", "1", "Sec-Fetch-Site", "same-site"));
		refused(post(kind, "application/json", "1", "Sec-Fetch-Site", "none"));
		refused(post(kind, "application/json", "1", "Origin", "https://evil.example"));
		refused(post(kind, "application/json", "1", "Origin", "null"));
	}

	/** Older browsers say no more than where the page is from. */
	@ParameterizedTest
	@EnumSource
	void theOriginDecidesWhereABrowserSaysNoMore(Host.Kind kind) {
		String origin = "http://127.0.0.1:" + Hosts.of(kind).port();
		assertThat(post(kind, "application/json", "1", "Origin", origin).statusCode()).isEqualTo(200);
	}

	/** Over plain HTTP, browsers send only their origin. */
	@ParameterizedTest
	@EnumSource
	void aProxyThatChangesTheHostIsNamedAsTheReason(Host.Kind kind) {
		HttpResponse<String> response = post(kind, "application/json", "1", "Origin", "http://ops.example");
		refused(response);
		assertThat(Host.json(response).get("detail").asString())
			.isEqualTo("The page is from http://ops.example, and the request was sent to the host 127.0.0.1:"
					+ Hosts.of(kind).port() + ". If a proxy is between, let it keep the header Host.");
	}

	/** A script that asks first is not answered that it may. */
	@ParameterizedTest
	@EnumSource
	void askingFirstDoesNotHelp(Host.Kind kind) {
		HttpResponse<String> response = Hosts.of(kind)
			.send("OPTIONS", "/rowqueue/api/queues/mail", null, "Origin", "https://evil.example",
					"Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "queue-dashboard");
		assertThat(response.headers().map()).doesNotContainKey("Access-Control-Allow-Origin");
	}

	private static HttpResponse<String> post(Host.Kind kind, String type, String header, String... more) {
		String[] headers = new String[((header != null) ? 6 : 4) + more.length];
		System.arraycopy(new String[] { Hosts.LEVEL, "admin", "Content-Type", type }, 0, headers, 0, 4);
		if (header != null) {
			System.arraycopy(new String[] { "Queue-Dashboard", header }, 0, headers, 4, 2);
		}
		System.arraycopy(more, 0, headers, headers.length - more.length, more.length);
		return Hosts.of(kind).send("POST", "/rowqueue/api/queues/mail", RESUME, headers);
	}

	private static void refused(HttpResponse<String> response) {
		assertThat(response.statusCode()).as(response.body()).isEqualTo(403);
		assertThat(response.body()).contains("urn:rowqueue:problem:csrf");
	}

}
