package io.rowqueue.monitoring.autoconfigure.measurement;

import io.micrometer.core.instrument.MeterRegistry;
import io.rowqueue.engine.database.ApplicationDataSource;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.engine.maintenance.MaintenanceStore;
import io.rowqueue.engine.measure.MeasurementStore;
import io.rowqueue.engine.measure.Measurements;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.monitoring.autoconfigure.MonitoringProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Auto-configuration of what is measured for meters, health and the dashboard.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = "io.rowqueue.autoconfigure.QueueAutoConfiguration")
@ConditionalOnBean(JobStore.class)
@Conditional(QueueMeasurementAutoConfiguration.OnMetersOrHealth.class)
@EnableConfigurationProperties(MonitoringProperties.class)
public final class QueueMeasurementAutoConfiguration {

	@Bean
	Measurements rowqueueMeasurements(QueueDatabases databases, MonitoringProperties properties) {
		return new Measurements(new MeasurementStore(databases.worker()), new MaintenanceStore(databases.worker()),
				properties.measurement().interval(), properties.measurement().overdueAfter());
	}

	@Bean
	MeasurementLoop rowqueueMeasurementLoop(Measurements measurements, Outage outage,
			ObjectProvider<MeasurementObserver> observers, ApplicationDataSource application) {
		return new MeasurementLoop(measurements, outage, observers.orderedStream().toList(), application.enabled());
	}

	@Bean
	HealthThresholds rowqueueHealthThresholds(MonitoringProperties properties) {
		MonitoringProperties.Health health = properties.health();
		return new HealthThresholds(health.oldestAge(), health.stuckJobs(), health.horizonAge());
	}

	@Bean
	UnhandledTypes rowqueueUnhandledTypes() {
		return new UnhandledTypes();
	}

	/** No bean depends on the loop: lazy initialization would omit it. */
	@Bean
	static LazyInitializationExcludeFilter rowqueueMeasurementLazyInitializationExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(MeasurementLoop.class);
	}

	static final class OnMetersOrHealth extends AnyNestedCondition {

		OnMetersOrHealth() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnClass(MeterRegistry.class)
		static final class Meters {

		}

		@ConditionalOnClass(HealthIndicator.class)
		static final class Health {

		}

		@ConditionalOnClass(name = "io.rowqueue.dashboard.DashboardAccess")
		static final class Dashboard {

		}

	}

}
