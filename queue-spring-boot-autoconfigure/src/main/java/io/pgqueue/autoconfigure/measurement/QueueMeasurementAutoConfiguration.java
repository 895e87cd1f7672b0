package io.pgqueue.autoconfigure.measurement;

import io.micrometer.core.instrument.MeterRegistry;
import io.pgqueue.autoconfigure.QueueAutoConfiguration;
import io.pgqueue.autoconfigure.ApplicationDataSource;
import io.pgqueue.autoconfigure.QueueDatabases;
import io.pgqueue.autoconfigure.QueueProperties;
import io.pgqueue.engine.job.JobStore;
import io.pgqueue.engine.maintenance.MaintenanceStore;
import io.pgqueue.engine.measure.MeasurementStore;
import io.pgqueue.engine.measure.Measurements;
import io.pgqueue.engine.support.Outage;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Auto-configuration of what is measured for meters, health and the dashboard.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueAutoConfiguration.class)
@ConditionalOnBean(JobStore.class)
@Conditional(QueueMeasurementAutoConfiguration.OnMetersOrHealth.class)
public final class QueueMeasurementAutoConfiguration {

	@Bean
	Measurements pgqueueMeasurements(QueueDatabases databases, QueueProperties properties) {
		return new Measurements(new MeasurementStore(databases.worker()), new MaintenanceStore(databases.worker()),
				properties.measurement().interval(), properties.measurement().overdueAfter());
	}

	@Bean
	MeasurementLoop pgqueueMeasurementLoop(Measurements measurements, Outage outage,
			ObjectProvider<MeasurementObserver> observers, ApplicationDataSource application) {
		return new MeasurementLoop(measurements, outage, observers.orderedStream().toList(), application.enabled());
	}

	@Bean
	HealthThresholds pgqueueHealthThresholds(QueueProperties properties) {
		QueueProperties.Health health = properties.health();
		return new HealthThresholds(health.oldestAge(), health.stuckJobs(), health.horizonAge());
	}

	@Bean
	UnhandledTypes pgqueueUnhandledTypes() {
		return new UnhandledTypes();
	}

	/** No bean depends on the loop: lazy initialization would omit it. */
	@Bean
	static LazyInitializationExcludeFilter pgqueueMeasurementLazyInitializationExcludeFilter() {
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

		@ConditionalOnClass(name = "io.pgqueue.dashboard.DashboardAccess")
		static final class Dashboard {

		}

	}

}
