package io.rowqueue.dashboard;

import java.net.http.HttpResponse;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import static org.assertj.core.api.Assertions.assertThat;

/** A page of another site neither reads nor acts with the browser of a visitor. */
class OtherSitesTests {

	private static final String FROM = "http://localhost:3000";

	/** Whatever the application allows other origins, the dashboard does not. */
	@ParameterizedTest
	@EnumSource
	void aCorsMappingForAllPathsOpensNoData(Host.Kind kind) {
		try (Host host = Host.start(kind, new Class<?>[] { Cors.class, Hosts.LevelsByHeader.class })) {
			for (String path : new String[] { "session", "jobs", "jobs/export?format=csv" }) {
				refused(get(host, path, "Origin", FROM, "Sec-Fetch-Site", "same-site"));
				refused(get(host, path, "Sec-Fetch-Site", "cross-site"));
				refused(get(host, path, "Origin", FROM));
				assertThat(get(host, path, "Sec-Fetch-Site", "same-origin").statusCode()).isEqualTo(200);
				assertThat(get(host, path, "Sec-Fetch-Site", "none").statusCode()).isEqualTo(200);
				assertThat(get(host, path).statusCode()).isEqualTo(200);
			}
			assertThat(host.get("/rowqueue/jobs", Hosts.LEVEL, "read", "Sec-Fetch-Site", "cross-site").statusCode())
				.as("a link of another site leads to a page")
				.isEqualTo(200);
		}
	}

	/** A page that had its own name resolved to the address of this server. */
	@ParameterizedTest
	@EnumSource
	void anotherNameOfTheServerIsNotAnswered(Host.Kind kind) {
		try (Host host = Host.start(kind, new Class<?>[] { ByAddress.class },
				"rowqueue.dashboard.hosts=localhost,127.0.0.1")) {
			HttpResponse<String> rebound = host.get("/rowqueue/api/jobs", "Host", "evil.example:8080", "Origin",
					"http://evil.example:8080", "Sec-Fetch-Site", "same-origin");
			assertThat(rebound.statusCode()).isEqualTo(404);
			assertThat(rebound.body()).isEmpty();
			assertThat(host.post("/rowqueue/api/queues/mail", "{\"action\": \"resume\"}", "Host", "evil.example")
				.statusCode()).isEqualTo(404);
			assertThat(host.get("/rowqueue/api/jobs").statusCode()).isEqualTo(200);
		}
	}

	private static HttpResponse<String> get(Host host, String path, String... headers) {
		String[] all = new String[headers.length + 2];
		all[0] = Hosts.LEVEL;
		all[1] = "everything";
		System.arraycopy(headers, 0, all, 2, headers.length);
		return host.get("/rowqueue/api/" + path, all);
	}

	private static void refused(HttpResponse<String> response) {
		assertThat(response.statusCode()).as(response.body()).isEqualTo(403);
		assertThat(response.body()).contains("urn:rowqueue:problem:csrf");
	}

	@Configuration(proxyBeanMethods = false)
	static class ByAddress {

		@Bean
		DashboardAccess byAddress() {
			return (caller) -> "127.0.0.1".equals(caller.address()) ? DashboardRights.of(Level.ADMIN)
					: DashboardRights.NONE;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Cors {

		@Bean
		WebMvcConfigurer servletCors() {
			return new WebMvcConfigurer() {
				@Override
				public void addCorsMappings(org.springframework.web.servlet.config.annotation.CorsRegistry registry) {
					registry.addMapping("/**").allowedOriginPatterns("*").allowCredentials(true);
				}
			};
		}

		@Bean
		WebFluxConfigurer reactiveCors() {
			return new WebFluxConfigurer() {
				@Override
				public void addCorsMappings(org.springframework.web.reactive.config.CorsRegistry registry) {
					registry.addMapping("/**").allowedOriginPatterns("*").allowCredentials(true);
				}
			};
		}

	}

}
