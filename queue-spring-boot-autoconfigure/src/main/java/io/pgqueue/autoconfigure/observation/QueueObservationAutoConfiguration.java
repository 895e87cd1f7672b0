package io.pgqueue.autoconfigure.observation;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import io.pgqueue.JobRequest;
import io.pgqueue.autoconfigure.QueueAutoConfiguration;
import io.pgqueue.engine.job.JobStore;
import io.pgqueue.observation.EnqueueObservationConvention;
import io.pgqueue.observation.JobObservationConvention;
import io.pgqueue.observation.ObservedEnqueue;
import io.pgqueue.observation.ObservedJob;
import io.pgqueue.observation.TagNames;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of observations of jobs, and of their traces.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueAutoConfiguration.class, afterName = {
		"org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
		"org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration",
		"org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration",
		"org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration" })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean({ JobStore.class, ObservationRegistry.class })
@EnableConfigurationProperties(TracingProperties.class)
public final class QueueObservationAutoConfiguration {

	private static final int MAX_NAMES = 100;

	@Bean
	TagNames pgqueueTagNames(Environment environment) {
		return new TagNames(environment.getProperty("pgqueue.measurement.max-names", Integer.class, MAX_NAMES),
				ownQueues(environment));
	}

	/** Whoever enqueues may invent others, and must not hide these. */
	private static Collection<String> ownQueues(Environment environment) {
		Collection<String> queues = new LinkedHashSet<>(Binder.get(environment)
			.bind("pgqueue.worker.queues", Bindable.mapOf(String.class, Object.class))
			.map(Map::keySet)
			.orElse(Set.of()));
		queues.add(JobRequest.DEFAULT_QUEUE);
		return queues;
	}

	@Bean
	@Order(0)
	ObservedEnqueue pgqueueObservedEnqueue(ObservationRegistry registry,
			ObjectProvider<EnqueueObservationConvention> convention, TagNames pgqueueTagNames) {
		return new ObservedEnqueue(registry, convention.getIfAvailable(), pgqueueTagNames);
	}

	@Bean
	@Order(0)
	ObservedJob pgqueueObservedJob(ObservationRegistry registry, ObjectProvider<JobObservationConvention> convention,
			TagNames pgqueueTagNames) {
		return new ObservedJob(registry, convention.getIfAvailable(), pgqueueTagNames);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Tracer.class, Propagator.class })
	@ConditionalOnBean({ Tracer.class, Propagator.class })
	@ConditionalOnProperty(name = "pgqueue.tracing.mode", havingValue = "link")
	static class LinkedTracesConfiguration {

		/** Before Boot's handler of what is received, which continues the trace. */
		@Bean
		@Order(900)
		LinkedTraces pgqueueLinkedTraces(Tracer tracer, Propagator propagator) {
			return new LinkedTraces(tracer, propagator);
		}

	}

}
