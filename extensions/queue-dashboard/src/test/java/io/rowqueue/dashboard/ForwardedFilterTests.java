package io.rowqueue.dashboard;

import java.util.stream.Stream;

import org.apache.catalina.filters.RemoteIpFilter;
import org.apache.catalina.valves.RemoteIpValve;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.filter.ForwardedHeaderFilter;

import static org.assertj.core.api.Assertions.assertThat;

/** What replaces the address of clients by a header makes no request local. */
class ForwardedFilterTests {

	private static final String SESSION = "/rowqueue/api/session";

	static Stream<Class<?>> filters() {
		return Stream.of(SpringFilter.class, TomcatFilter.class, TomcatValve.class);
	}

	/**
	 * Those of Tomcat leave no trace of a header that names an address of this machine.
	 */
	@ParameterizedTest
	@MethodSource("filters")
	void anAddressInAHeaderIsNoAddress(Class<?> filter) {
		try (Host host = Host.start(Host.Kind.SERVLET, new Class<?>[] { filter },
				"rowqueue.dashboard.token=" + Hosts.TOKEN)) {
			assertThat(host.get(SESSION, "Authorization", "Bearer " + Hosts.TOKEN).statusCode()).as("no proxy")
				.isEqualTo((filter == SpringFilter.class) ? 200 : 404);
			for (String address : new String[] { "127.0.0.1", "127.0.0.1, 203.0.113.9", "203.0.113.9" }) {
				assertThat(host.get(SESSION, "Authorization", "Bearer " + Hosts.TOKEN, "X-Forwarded-For", address)
					.statusCode()).as(address).isEqualTo(404);
			}
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class SpringFilter {

		@Bean
		FilterRegistrationBean<ForwardedHeaderFilter> forwardedHeaders() {
			return new FilterRegistrationBean<>(new ForwardedHeaderFilter());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TomcatFilter {

		@Bean
		FilterRegistrationBean<RemoteIpFilter> remoteIp() {
			return new FilterRegistrationBean<>(new RemoteIpFilter());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TomcatValve {

		@Bean
		WebServerFactoryCustomizer<TomcatServletWebServerFactory> remoteIp() {
			return (factory) -> factory.addEngineValves(new RemoteIpValve());
		}

	}

}
