package io.pgqueue.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.pgqueue.store.JobStore;
import io.pgqueue.support.Outage;

import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the queue's meters.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(JobStore.class)
@ConditionalOnSingleCandidate(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "queue.enabled", matchIfMissing = true)
public final class QueueMetricsAutoConfiguration {

	@Bean
	JobGauges queueJobGauges(JobStore store, MeterRegistry registry, QueueProperties properties, Outage outage) {
		return new JobGauges(store, registry, properties.worker().queues().keySet(), outage);
	}

	/** Nothing asks for the gauges: lazy initialization would leave them out. */
	@Bean
	static LazyInitializationExcludeFilter queueJobGaugesLazyInitializationExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(JobGauges.class);
	}

}
