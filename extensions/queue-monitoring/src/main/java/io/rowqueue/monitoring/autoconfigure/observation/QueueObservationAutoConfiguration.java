package io.rowqueue.monitoring.autoconfigure.observation;

import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.engine.worker.WorkerSettings;
import io.rowqueue.monitoring.autoconfigure.MonitoringProperties;
import io.rowqueue.monitoring.autoconfigure.MonitoringProperties.Tracing.Convention;
import io.rowqueue.observation.EnqueueObservationConvention;
import io.rowqueue.observation.JobObservationConvention;
import io.rowqueue.observation.ObservedEnqueue;
import io.rowqueue.observation.ObservedJob;
import io.rowqueue.observation.TagNames;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration of observations of jobs, and of their traces.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = { "io.rowqueue.autoconfigure.QueueAutoConfiguration",
		"org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
		"org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration",
		"org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration",
		"org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration" })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean({ JobStore.class, ObservationRegistry.class })
@EnableConfigurationProperties(MonitoringProperties.class)
public final class QueueObservationAutoConfiguration {

	@Bean
	TagNames rowqueueTagNames(MonitoringProperties properties, WorkerSettings worker) {
		return new TagNames(properties.measurement().maxNames(), worker.queueNames());
	}

	@Bean
	@Order(0)
	ObservedEnqueue rowqueueObservedEnqueue(ObservationRegistry registry,
			ObjectProvider<EnqueueObservationConvention> convention, TagNames rowqueueTagNames,
			MonitoringProperties properties) {
		EnqueueObservationConvention own = convention.getIfAvailable();
		return new ObservedEnqueue(registry, (own == null && isOtel(properties)) ? new OtelEnqueueConvention() : own,
				rowqueueTagNames);
	}

	@Bean
	@Order(0)
	ObservedJob rowqueueObservedJob(ObservationRegistry registry, ObjectProvider<JobObservationConvention> convention,
			TagNames rowqueueTagNames, MonitoringProperties properties) {
		JobObservationConvention own = convention.getIfAvailable();
		return new ObservedJob(registry, (own == null && isOtel(properties)) ? new OtelJobConvention() : own,
				rowqueueTagNames);
	}

	/** No condition: that would recognize one of the ways to write the value. */
	private static boolean isOtel(MonitoringProperties properties) {
		return properties.tracing().convention() == Convention.OTEL_MESSAGING;
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Tracer.class, Propagator.class })
	@ConditionalOnBean({ Tracer.class, Propagator.class })
	@ConditionalOnProperty(name = "rowqueue.tracing.mode", havingValue = "link")
	static class LinkedTracesConfiguration {

		/** Before Boot's handler of what is received, which continues the trace. */
		@Bean
		@Order(900)
		LinkedTraces rowqueueLinkedTraces(Tracer tracer, Propagator propagator) {
			return new LinkedTraces(tracer, propagator);
		}

	}

}
