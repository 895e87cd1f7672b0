package io.pgqueue.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.pgqueue.engine.enqueue.BulkPace;
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
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of what is measured for meters, health and the dashboard.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueAutoConfiguration.class)
@ConditionalOnBean(JobStore.class)
@Conditional(QueueMeasurementAutoConfiguration.SomebodyLooks.class)
@EnableConfigurationProperties({ MeasurementProperties.class, HealthProperties.class })
public final class QueueMeasurementAutoConfiguration {

	@Bean
	Measurements pgqueueMeasurements(QueueDatabases databases, MeasurementProperties properties) {
		return new Measurements(new MeasurementStore(databases.worker()), new MaintenanceStore(databases.worker()),
				properties.interval(), properties.overdueAfter());
	}

	@Bean
	MeasurementLoop pgqueueMeasurementLoop(Measurements measurements, Outage outage,
			ObjectProvider<MeasurementObserver> observers, QueueProperties queue) {
		return new MeasurementLoop(measurements, outage, observers.orderedStream().toList(), queue.enabled());
	}

	@Bean
	HealthThresholds pgqueueHealthThresholds(HealthProperties health) {
		return new HealthThresholds(health.oldestAge(), health.stuckJobs(), health.horizonAge());
	}

	@Bean
	UnhandledTypes pgqueueUnhandledTypes() {
		return new UnhandledTypes();
	}

	/** Apart: nothing of it exists unless it is asked for. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty("pgqueue.slow-down.bulk-enqueue")
	@EnableConfigurationProperties(SlowDownProperties.class)
	static class SlowDownConfiguration {

		@Bean
		BulkPace pgqueueBulkPace(SlowDownProperties properties) {
			return new BulkPace(properties.bulkEnqueue());
		}

		@Bean
		DeadRowsBrake pgqueueDeadRowsBrake(BulkPace pace) {
			return new DeadRowsBrake(pace);
		}

	}

	/** Nothing asks for the loop: lazy initialization would leave it out. */
	@Bean
	static LazyInitializationExcludeFilter pgqueueMeasurementLazyInitializationExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(MeasurementLoop.class);
	}

	static final class SomebodyLooks extends AnyNestedCondition {

		SomebodyLooks() {
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

		@ConditionalOnProperty("pgqueue.slow-down.bulk-enqueue")
		static final class Brake {

		}

	}

}
