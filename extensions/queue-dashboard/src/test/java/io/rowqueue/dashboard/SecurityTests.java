package io.rowqueue.dashboard;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** With Spring Security, the application's own chain identifies the user. */
class SecurityTests {

	private static final Map<Host.Kind, Host> RUNNING = new EnumMap<>(Host.Kind.class);

	private static Host host(Host.Kind kind) {
		return RUNNING.computeIfAbsent(kind,
				(each) -> Host.secured(each, new Class<?>[] { Users.class }, "rowqueue.dashboard.roles.read=SUPPORT",
						"rowqueue.dashboard.roles.operate=OPS", "rowqueue.dashboard.roles.payloads=OPS",
						"rowqueue.dashboard.show-payloads=when-authorized"));
	}

	@AfterAll
	static void close() {
		RUNNING.values().forEach(Host::close);
	}

	/** A chain of ours would make Spring Boot's step back, and open everything else. */
	@ParameterizedTest
	@EnumSource
	void theApplicationStaysClosed(Host.Kind kind) {
		assertThat(host(kind).get("/elsewhere").statusCode()).isIn(302, 401);
		assertThat(host(kind).get("/rowqueue/").statusCode()).isIn(302, 401);
		assertThat(host(kind).get("/rowqueue/api/queues").statusCode()).isIn(302, 401);
	}

	@ParameterizedTest
	@EnumSource
	void rolesDecideWhatAPrincipalMayDo(Host.Kind kind) {
		Host host = host(kind);
		assertThat(levels(host, "support")).containsExactly("read");
		assertThat(levels(host, "ops")).containsExactly("read", "operate", "payloads");
	}

	@ParameterizedTest
	@EnumSource
	void aPrincipalWithoutARoleIsToldSo(Host.Kind kind) {
		HttpResponse<String> page = host(kind).get("/rowqueue/", as("customer"));
		assertThat(page.statusCode()).isEqualTo(403);
		assertThat(page.body()).contains("rowqueue.dashboard.roles");
		HttpResponse<String> api = host(kind).get("/rowqueue/api/queues", as("customer"));
		assertThat(api.statusCode()).isEqualTo(403);
		assertThat(api.body()).contains("not-allowed");
	}

	/** The application's own protection wants its token, which the session has. */
	@ParameterizedTest
	@EnumSource
	void anActionCarriesTheTokenOfTheApplication(Host.Kind kind) {
		Host host = host(kind);
		String path = "/rowqueue/api/queues/mail";
		String body = "{\"action\": \"resume\"}";
		assertThat(host.post(path, body, as("ops")).statusCode()).isIn(401, 403);
		HttpResponse<String> session = host.get("/rowqueue/api/session", as("ops"));
		JsonNode csrf = Host.json(session).get("csrf");
		String cookie = session.headers()
			.allValues("Set-Cookie")
			.stream()
			.map((each) -> each.substring(0, each.indexOf(';')))
			.reduce((one, other) -> one + "; " + other)
			.orElseThrow();
		String[] headers = Stream
			.concat(Arrays.stream(as("ops")),
					Stream.of("Cookie", cookie, csrf.get("header").asString(), csrf.get("token").asString()))
			.toArray(String[]::new);
		HttpResponse<String> done = host.post(path, body, headers);
		assertThat(done.statusCode()).as(done.body()).isEqualTo(200);
		HttpResponse<String> refused = host.post(path, "{\"action\": \"unlimit\"}", headers);
		assertThat(Host.json(refused).get("needs").asString()).isEqualTo("admin");
	}

	private static List<String> levels(Host host, String user) {
		return Host.json(host.get("/rowqueue/api/session", as(user)))
			.get("levels")
			.valueStream()
			.map(JsonNode::asString)
			.toList();
	}

	private static String[] as(String user) {
		return new String[] { "Authorization",
				"Basic " + Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8)) };
	}

	@Configuration(proxyBeanMethods = false)
	static class Users {

		private static final UserDetails[] ALL = { user("ops", "OPS"), user("support", "SUPPORT"),
				user("customer", "CUSTOMER") };

		@Bean
		InMemoryUserDetailsManager servletUsers() {
			return new InMemoryUserDetailsManager(ALL);
		}

		@Bean
		MapReactiveUserDetailsService reactiveUsers() {
			return new MapReactiveUserDetailsService(ALL);
		}

		private static UserDetails user(String name, String role) {
			return User.withUsername(name).password("{noop}secret").roles(role).build();
		}

	}

}
