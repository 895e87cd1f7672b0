package io.pgqueue.autoconfigure.endpoint;

import io.pgqueue.admin.JobAdmin;
import io.pgqueue.admin.JobSearch;
import io.pgqueue.admin.QueueOverview;
import io.pgqueue.admin.operation.Operations;
import io.pgqueue.autoconfigure.QueueLimitsAutoConfiguration;
import io.pgqueue.engine.figures.ErrorGroupStore;
import io.pgqueue.engine.flow.BatchStore;
import io.pgqueue.engine.job.JobStore;
import io.pgqueue.engine.shard.ShardedJobs;
import io.pgqueue.flow.FlowAdmin;
import io.pgqueue.limit.JobLimits;
import io.pgqueue.schedule.Schedules;
import io.pgqueue.shard.Shards;
import io.pgqueue.window.Windows;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.Sanitizer;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of the actuator endpoint {@code pgqueue}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueLimitsAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBooleanProperty(name = "pgqueue.enabled", matchIfMissing = true)
@ConditionalOnBean(JobAdmin.class)
@EnableConfigurationProperties(QueueEndpointProperties.class)
public final class QueueEndpointAutoConfiguration {

	/** A class of its own, because its condition is a class that may be missing. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnAvailableEndpoint(QueueEndpoint.class)
	static class EndpointConfiguration {

		@Bean
		@ConditionalOnMissingBean
		QueueEndpoint pgqueueEndpoint(JobAdmin admin, FlowAdmin flows, JobLimits limits, QueueOverview overview,
				JobSearch search, JobStore store, BatchStore batches, Schedules schedules, Windows windows,
				ErrorGroupStore errors, Operations operations, ObjectProvider<SanitizingFunction> functions,
				ApplicationEventPublisher events, QueueEndpointProperties properties,
				ObjectProvider<ShardedJobs> sharded, ObjectProvider<Shards> shards) {
			Sanitizer sanitizer = new Sanitizer(functions.orderedStream().toList());
			ShardedJobs several = sharded.getIfAvailable();
			return new QueueEndpoint(
					new QueueReader(admin, flows, overview, search,
							(several != null) ? several::findCommitted : store::findCommitted, limits, batches,
							schedules, windows, operations),
					new QueueOperations(admin, limits, schedules, windows, flows, batches, errors, operations,
							"endpoint", events),
					sanitizer, properties.showPayloads(), shards.getIfAvailable());
		}

		@Bean
		@ConditionalOnMissingBean
		@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
		QueueEndpointWebExtension pgqueueEndpointWebExtension(QueueEndpoint endpoint,
				QueueEndpointProperties properties) {
			return new QueueEndpointWebExtension(endpoint, properties.showPayloads(), properties.roles());
		}

	}

}
