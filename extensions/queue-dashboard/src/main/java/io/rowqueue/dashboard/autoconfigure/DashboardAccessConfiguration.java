package io.rowqueue.dashboard.autoconfigure;

import java.util.Locale;

import io.rowqueue.dashboard.DashboardAccess;
import io.rowqueue.dashboard.api.health.AboutDashboard;
import io.rowqueue.dashboard.http.Gate;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Who may use the dashboard. It needs no queue: a page in front of several dashboards is
 * behind the same gate.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DashboardProperties.class)
public class DashboardAccessConfiguration {

	@Bean
	AccessToken rowqueueDashboardToken(DashboardProperties properties) {
		return new AccessToken(properties.token());
	}

	/** Where a bean decides, nothing is known of those who have not signed in. */
	@Bean
	AboutDashboard rowqueueAboutDashboard(DashboardProperties properties, Environment environment,
			ObjectProvider<DashboardAccess> access) {
		DashboardProperties.Allow allow = (access.getIfAvailable() == null) ? properties.whoIsAllowed() : null;
		String label = properties.environment().label();
		DashboardProperties.Color color = properties.environment().color();
		return new AboutDashboard(
				(properties.title() != null) ? properties.title() : environment.getProperty("spring.application.name"),
				properties.allDatabases(),
				(label != null) ? new AboutDashboard.Badge(label,
						(color != null) ? color.name().toLowerCase(Locale.ROOT) : null) : null,
				allow == DashboardProperties.Allow.EVERYONE, unnamed(allow),
				properties.links()
					.entrySet()
					.stream()
					.map((link) -> new AboutDashboard.Link(link.getKey(), link.getValue()))
					.toList());
	}

	private static String unnamed(DashboardProperties.@Nullable Allow allow) {
		return (allow == DashboardProperties.Allow.LOCAL) ? "local"
				: (allow == DashboardProperties.Allow.TOKEN) ? "token" : "anonymous";
	}

	@Bean
	Gate rowqueueDashboardGate(DashboardProperties properties, ObjectProvider<DashboardAccess> access,
			AccessToken token, AboutDashboard about, ApplicationEventPublisher events) {
		return new AccessGate(access.getIfAvailable(), properties, token, new AuditTrail(about, events));
	}

}
