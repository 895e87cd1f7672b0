package io.rowqueue.monitoring.autoconfigure.health;

import java.util.Optional;

import io.rowqueue.engine.database.ApplicationDataSource;
import io.rowqueue.engine.measure.Measurements;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.worker.RunningWorkers;
import io.rowqueue.monitoring.autoconfigure.MonitoringProperties;
import io.rowqueue.monitoring.autoconfigure.measurement.QueueMeasurementAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of the health of the queue.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueMeasurementAutoConfiguration.class,
		afterName = "io.rowqueue.autoconfigure.worker.QueueWorkerAutoConfiguration")
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean(Measurements.class)
public final class QueueHealthAutoConfiguration {

	/** A class of its own, because its condition is a class that may be missing. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnEnabledHealthIndicator("rowqueue")
	static class HealthConfiguration {

		@Bean
		QueueHealthIndicator rowqueueHealthIndicator(Measurements measurements, ObjectProvider<RunningWorkers> workers,
				Outage outage, MonitoringProperties properties, ApplicationDataSource application) {
			return new QueueHealthIndicator(measurements,
					() -> Optional.ofNullable(workers.getIfAvailable()).flatMap(RunningWorkers::status),
					() -> Optional.ofNullable(workers.getIfAvailable()).filter(RunningWorkers::areAsleep).isPresent(),
					outage, properties.health(), application.enabled());
		}

	}

}
