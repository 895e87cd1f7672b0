package io.rowqueue.autoconfigure.health;

import java.util.Optional;

import io.rowqueue.autoconfigure.QueueProperties;
import io.rowqueue.autoconfigure.measurement.QueueMeasurementAutoConfiguration;
import io.rowqueue.autoconfigure.worker.QueueLifecycle;
import io.rowqueue.autoconfigure.worker.QueueWorkerAutoConfiguration;
import io.rowqueue.engine.database.ApplicationDataSource;
import io.rowqueue.engine.measure.Measurements;
import io.rowqueue.engine.support.Outage;
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
@AutoConfiguration(after = { QueueMeasurementAutoConfiguration.class, QueueWorkerAutoConfiguration.class })
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class, Measurements.class })
@ConditionalOnBean(Measurements.class)
public final class QueueHealthAutoConfiguration {

	/** A class of its own, because its condition is a class that may be missing. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnEnabledHealthIndicator("rowqueue")
	static class HealthConfiguration {

		@Bean
		QueueHealthIndicator rowqueueHealthIndicator(Measurements measurements,
				ObjectProvider<QueueLifecycle> lifecycle, Outage outage, QueueProperties properties,
				ApplicationDataSource application) {
			return new QueueHealthIndicator(measurements,
					() -> Optional.ofNullable(lifecycle.getIfAvailable()).flatMap(QueueLifecycle::status), outage,
					properties.health(), application.enabled());
		}

	}

}
