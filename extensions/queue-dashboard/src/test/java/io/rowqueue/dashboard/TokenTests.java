package io.rowqueue.dashboard;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** Without roles, a token opens the dashboard, and nothing else does. */
class TokenTests {

	private static final String ROOT = "/shop/rowqueue/";

	private static final String[] BEARER = { "Authorization", "Bearer " + Hosts.TOKEN };

	/**
	 * A proxy on the same machine may send nothing but this: the address, the name and
	 * the headers are those of a program on this machine.
	 */
	@ParameterizedTest
	@EnumSource
	void aRequestThatAPlainProxyPassesOnGetsNothing(Host.Kind kind) throws IOException {
		for (String path : List.of("", "api/session", "api/jobs", "?token=",
				"?token=" + Hosts.TOKEN.toUpperCase(Locale.ROOT))) {
			try (Socket proxy = new Socket("127.0.0.1", Hosts.belowContextPath(kind).port())) {
				proxy.getOutputStream()
					.write(("GET " + ROOT + path + " HTTP/1.0\r\nHost: localhost:8080\r\nConnection: close\r\n\r\n")
						.getBytes(StandardCharsets.UTF_8));
				String response = new String(proxy.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
				assertThat(response).as(path).matches("(?s)HTTP/1.[01] 404.*\r\n\r\n");
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void aHolderMayDoAllAndSeesPayloads(Host.Kind kind) {
		HttpResponse<String> session = Hosts.belowContextPath(kind).get(ROOT + "api/session", BEARER);
		assertThat(session.statusCode()).isEqualTo(200);
		assertThat(session.body()).contains("\"user\":\"local\"")
			.contains("\"levels\":[\"read\",\"operate\",\"admin\",\"payloads\"]");
	}

	@ParameterizedTest
	@EnumSource
	void aHolderElsewhereGetsNothing(Host.Kind kind) {
		Host host = Hosts.belowContextPath(kind);
		for (String path : new String[] { "", "jobs/42", "api/session", "api/nothing", "assets/x/app.js",
				"?token=" + Hosts.TOKEN }) {
			nothing(host.get(ROOT + path, with("Host", "shop.example.org")));
			nothing(host.get(ROOT + path, with("Host", "localhost", "X-Forwarded-For", "10.0.0.7")));
			nothing(host.get(ROOT + path, with("Host", "localhost", "Forwarded", "for=10.0.0.7")));
		}
		nothing(host.post(ROOT + "api/queues/mail", "{\"action\": \"pause\"}", with("Host", "shop.example.org")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "Bearer", "Bearer ", "Bearer 0123456789abcdef0124", "Bearer 0123456789abcdef012",
			"Basic 0123456789abcdef0123", "0123456789abcdef0123" })
	void anotherTokenOpensNothing(String authorization) {
		nothing(Hosts.belowContextPath(Host.Kind.SERVLET).get(ROOT + "api/session", "Authorization", authorization));
	}

	@ParameterizedTest
	@EnumSource
	void theLinkWithTheTokenIsExchangedForACookie(Host.Kind kind) {
		Host host = Hosts.belowContextPath(kind);
		HttpResponse<String> opened = host.get(ROOT + "?token=" + Hosts.TOKEN, "Host", "localhost:8080");
		assertThat(opened.statusCode()).isEqualTo(303);
		assertThat(Host.header(opened, "Location")).isEqualTo("./");
		assertThat(Host.header(opened, "Referrer-Policy")).isEqualTo("no-referrer");
		assertThat(Host.header(opened, "Cache-Control")).isEqualTo("no-store");
		assertThat(opened.body()).isEmpty();
		String cookie = Host.header(opened, "Set-Cookie");
		assertThat(cookie).startsWith("rowqueue-dashboard-8080=").endsWith("; HttpOnly; SameSite=Strict");
		String[] browser = { "Cookie", "theme=dark; " + cookie.substring(0, cookie.indexOf(';')) };
		assertThat(host.get(ROOT, browser).statusCode()).isEqualTo(200);
		assertThat(host.get(ROOT + "api/session", browser).body()).contains("\"payloads\"");
		assertThat(host.post(ROOT + "api/queues/mail", "{\"action\": \"resume\"}", browser).statusCode())
			.isEqualTo(200);
		assertThat(host
			.send("POST", ROOT + "api/queues/mail", "{\"action\": \"resume\"}", browser[0], browser[1], "Content-Type",
					"application/json")
			.statusCode()).as("the cookie alone does not act").isEqualTo(403);
	}

	/** A browser gives a cookie the path of the page that sets it. */
	@ParameterizedTest
	@EnumSource
	void theRootSetsTheCookie(Host.Kind kind) {
		Host host = Hosts.belowContextPath(kind);
		String query = "?token=" + Hosts.TOKEN;
		leadsTo(host.get("/shop/rowqueue" + query), "./rowqueue/" + query);
		leadsTo(host.get(ROOT + "jobs" + query), "./" + query);
		leadsTo(host.get(ROOT + "jobs/42" + query), "./../" + query);
		leadsTo(host.get(ROOT + "shards/eu/jobs/42" + query + "&x=y"), "./../../../" + query);
		nothing(host.get(ROOT + "api/session" + query));
	}

	private static void leadsTo(HttpResponse<String> response, String location) {
		assertThat(response.statusCode()).isEqualTo(303);
		assertThat(Host.header(response, "Location")).isEqualTo(location);
		assertThat(response.headers().map()).doesNotContainKey("set-cookie");
	}

	/** Before the size of its request is looked at, and the server is not kept busy. */
	@ParameterizedTest
	@EnumSource
	void aStrangerWithALargeBodyGetsNothing(Host.Kind kind) {
		nothing(Hosts.belowContextPath(kind).post(ROOT + "api/jobs", "x".repeat(2 * 1024 * 1024)));
	}

	@ParameterizedTest
	@EnumSource
	@ExtendWith(OutputCaptureExtension.class)
	void theLogHasTheLinkAndWhyARequestIsNotAnswered(Host.Kind kind, CapturedOutput log) {
		try (Host host = Host.start(kind, new Class<?>[0], "server.servlet.context-path=/shop",
				"spring.webflux.base-path=/shop")) {
			assertThat(log.getOut()).containsPattern("The dashboard is at http://localhost:" + host.port()
					+ "/shop/rowqueue/\\?token=[A-Za-z0-9_-]{32}\n");
			String link = log.getOut().substring(log.getOut().indexOf("/shop/rowqueue/?token="));
			HttpResponse<String> opened = host.get(link.substring(0, link.indexOf('\n')).strip());
			assertThat(opened.statusCode()).isEqualTo(303);
			for (int i = 0; i < 3; i++) {
				nothing(host.get(ROOT));
				nothing(host.get(ROOT, "Host", "evil.example"));
			}
			assertThat(log.getOut()).containsOnlyOnce("Open the link that was logged at start")
				.containsOnlyOnce("rowqueue.dashboard.hosts")
				.contains("a request from 127.0.0.1 to evil.example");
		}
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void aTokenThatIsSetIsNotLogged(CapturedOutput log) {
		try (Host host = Host.start(Host.Kind.SERVLET, new Class<?>[0], "rowqueue.dashboard.token=" + Hosts.TOKEN,
				"rowqueue.dashboard.allow=token")) {
			assertThat(log.getOut()).contains("The dashboard is at http://localhost:" + host.port() + "/rowqueue/ for")
				.doesNotContain(Hosts.TOKEN);
			assertThat(host.get("/rowqueue/api/session", with("X-Forwarded-For", "10.0.0.7")).body())
				.contains("\"user\":\"token\"");
			nothing(host.get("/rowqueue/api/session"));
		}
	}

	private static String[] with(String... headers) {
		return Stream.concat(Arrays.stream(BEARER), Arrays.stream(headers))

			.toArray(String[]::new);
	}

	private static void nothing(HttpResponse<String> response) {
		assertThat(response.statusCode()).isEqualTo(404);
		assertThat(response.body()).isEmpty();
		assertThat(response.headers().map()).doesNotContainKeys("content-security-policy", "x-robots-tag",
				"cache-control");
	}

}
