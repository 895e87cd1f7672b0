package io.rowqueue.dashboard.autoconfigure;

import java.io.IOException;
import java.time.Duration;

import io.rowqueue.admin.JobAdmin;
import io.rowqueue.autoconfigure.QueueLimitsAutoConfiguration;
import io.rowqueue.autoconfigure.admin.SanitizingMasker;
import io.rowqueue.autoconfigure.connection.ReadPools;
import io.rowqueue.autoconfigure.handler.HandlerRegistryFactory;
import io.rowqueue.dashboard.api.Reads;
import io.rowqueue.dashboard.api.health.AboutDashboard;
import io.rowqueue.dashboard.http.Api;
import io.rowqueue.dashboard.http.Dashboard;
import io.rowqueue.dashboard.http.Gate;
import io.rowqueue.dashboard.http.Json;
import io.rowqueue.dashboard.http.SecurityHeaders;
import io.rowqueue.dashboard.web.Assets;
import io.rowqueue.dashboard.web.Shell;
import io.rowqueue.engine.measure.Measurements;
import io.rowqueue.monitoring.autoconfigure.measurement.HealthThresholds;
import io.rowqueue.monitoring.autoconfigure.measurement.QueueMeasurementAutoConfiguration;
import io.rowqueue.shard.autoconfigure.ShardBeans;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.Sanitizer;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Auto-configuration of the dashboard.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { QueueMeasurementAutoConfiguration.class, QueueLimitsAutoConfiguration.class, })
@ConditionalOnWebApplication
@ConditionalOnBooleanProperty(name = { "rowqueue.enabled", "rowqueue.dashboard.enabled" }, matchIfMissing = true)
@ConditionalOnBean({ JobAdmin.class, ReadPools.class })
@ImportRuntimeHints(DashboardRuntimeHints.class)
@Import({ DashboardAccessConfiguration.class, ServletDashboardConfiguration.class,
		ReactiveDashboardConfiguration.class })
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
	DashboardFactory rowqueueDashboardFactory(AboutDashboard about, ObjectProvider<SanitizingFunction> functions,
			HealthThresholds thresholds, Measurements measurements, HandlerRegistryFactory handlers,
			ApplicationEventPublisher events, ObjectProvider<ShardBeans> shards) {
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
	Dashboard rowqueueDashboard(DashboardProperties properties, Gate gate, DashboardRoutes routes,
			DashboardFactory factory, Measurements measurements) throws IOException {
		ClassLoader classLoader = QueueDashboardAutoConfiguration.class.getClassLoader();
		Json json = new Json();
		return new Dashboard(properties.path(), gate, new Api(routes.routes(), json),
				factory.others((pools) -> connections(pools, properties).pool(), json),
				new Shell(Assets.load(classLoader), measurements::request),
				new SecurityHeaders(properties.frameAncestors()));
	}

}
