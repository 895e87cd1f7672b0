package io.rowqueue.dashboard.autoconfigure;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

import io.rowqueue.admin.JobAdmin;
import io.rowqueue.autoconfigure.QueueLimitsAutoConfiguration;
import io.rowqueue.autoconfigure.admin.SanitizingMasker;
import io.rowqueue.autoconfigure.connection.ReadPools;
import io.rowqueue.autoconfigure.handler.HandlerRegistryFactory;
import io.rowqueue.dashboard.DashboardAccess;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.health.AboutDashboard;
import io.rowqueue.dashboard.http.Api;
import io.rowqueue.dashboard.http.Dashboard;
import io.rowqueue.dashboard.http.Json;
import io.rowqueue.dashboard.http.SecurityHeaders;
import io.rowqueue.dashboard.web.Assets;
import io.rowqueue.dashboard.web.Shell;
import io.rowqueue.engine.measure.Measurements;
import io.rowqueue.monitoring.autoconfigure.measurement.HealthThresholds;
import io.rowqueue.monitoring.autoconfigure.measurement.QueueMeasurementAutoConfiguration;
import io.rowqueue.shard.autoconfigure.ShardBeans;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.Sanitizer;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the dashboard.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { QueueMeasurementAutoConfiguration.class, QueueLimitsAutoConfiguration.class, })
@ConditionalOnWebApplication
@ConditionalOnBooleanProperty(name = { "rowqueue.enabled", "rowqueue.dashboard.enabled" }, matchIfMissing = true)
@ConditionalOnBean({ JobAdmin.class, ReadPools.class })
@EnableConfigurationProperties(DashboardProperties.class)
@ImportRuntimeHints(DashboardRuntimeHints.class)
@Import({ ServletDashboardConfiguration.class, ReactiveDashboardConfiguration.class })
public final class QueueDashboardAutoConfiguration {

	private static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(2);

	private static final Duration LATE = Duration.ofSeconds(30);

	@Bean
	DashboardConnections rowqueueDashboardConnections(ReadPools pools, DashboardProperties properties) {
		return connections(pools, properties);
	}

	private static DashboardConnections connections(ReadPools pools, DashboardProperties properties) {
		return new DashboardConnections(pools.create(Reads.SESSIONS, properties.connections(), STATEMENT_TIMEOUT));
	}

	@Bean
	DashboardFactory rowqueueDashboardFactory(DashboardProperties properties, Environment environment,
			ObjectProvider<SanitizingFunction> functions, HealthThresholds thresholds, Measurements measurements,
			HandlerRegistryFactory handlers, ObjectProvider<DashboardAccess> access, ApplicationEventPublisher events,
			ObjectProvider<ShardBeans> shards) {
		AboutDashboard about = about(properties, environment.getProperty("spring.application.name"),
				(access.getIfAvailable() == null) ? properties.whoIsAllowed() : null);
		Sanitizer sanitizer = new Sanitizer(functions.orderedStream().toList());
		return new DashboardFactory(about, (payloads) -> new SanitizingMasker(sanitizer, payloads), thresholds,
				measurements.longestPause().plus(LATE), handlers, events, shards.getIfAvailable());
	}

	@Bean
	DashboardRoutes rowqueueDashboardResources(DashboardFactory factory, DashboardConnections connections,
			ApplicationContext context) {
		return factory.home(context, connections.pool());
	}

	@Bean
	AccessToken rowqueueDashboardToken(DashboardProperties properties) {
		return new AccessToken(properties.token());
	}

	@Bean
	Dashboard rowqueueDashboard(DashboardProperties properties, ObjectProvider<DashboardAccess> access,
			AccessToken token, DashboardRoutes routes, DashboardFactory factory) throws IOException {
		ClassLoader classLoader = QueueDashboardAutoConfiguration.class.getClassLoader();
		Json json = new Json();
		return new Dashboard(properties.path(),
				new AccessGate(access.getIfAvailable(), properties, token, factory.trail()),
				new Api(routes.routes(), json), factory.others((pools) -> connections(pools, properties).pool(), json),
				new Shell(Assets.load(classLoader)), new SecurityHeaders(properties.frameAncestors()));
	}

	private static String unnamed(DashboardProperties.@Nullable Allow allow) {
		return (allow == DashboardProperties.Allow.LOCAL) ? "local"
				: (allow == DashboardProperties.Allow.TOKEN) ? "token" : "anonymous";
	}

	/** Where a bean decides, nothing is known of those who have not signed in. */
	private static AboutDashboard about(DashboardProperties properties, @Nullable String application,
			DashboardProperties.@Nullable Allow allow) {
		String label = properties.environment().label();
		DashboardProperties.Color color = properties.environment().color();
		return new AboutDashboard((properties.title() != null) ? properties.title() : application,
				(label != null) ? new AboutDashboard.Badge(label,
						(color != null) ? color.name().toLowerCase(Locale.ROOT) : null) : null,
				allow == DashboardProperties.Allow.EVERYONE, unnamed(allow),
				properties.links()
					.entrySet()
					.stream()
					.map((link) -> new AboutDashboard.Link(link.getKey(), link.getValue()))
					.toList());
	}

}
