package io.rowqueue.autoconfigure.endpoint;

import io.rowqueue.admin.JobAdmin;
import io.rowqueue.admin.JobSearch;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.operation.Operations;
import io.rowqueue.autoconfigure.QueueLimitsAutoConfiguration;
import io.rowqueue.autoconfigure.admin.AdminCommands;
import io.rowqueue.engine.figures.ErrorGroupStore;
import io.rowqueue.engine.flow.BatchStore;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.engine.shard.ShardedJobs;
import io.rowqueue.flow.FlowAdmin;
import io.rowqueue.limit.JobLimits;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.shard.Shards;
import io.rowqueue.window.Windows;
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
 * Auto-configuration of the actuator endpoint {@code rowqueue}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueLimitsAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", matchIfMissing = true)
@ConditionalOnBean(JobAdmin.class)
@EnableConfigurationProperties(QueueEndpointProperties.class)
public final class QueueEndpointAutoConfiguration {

	/** A class of its own, because its condition is a class that may be missing. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnAvailableEndpoint(QueueEndpoint.class)
	static class EndpointConfiguration {

		@Bean
		@ConditionalOnMissingBean
		QueueEndpoint rowqueueEndpoint(JobAdmin admin, FlowAdmin flows, JobLimits limits, QueueOverview overview,
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
					new AdminCommands(admin, limits, schedules, windows, flows, batches, errors, operations, "endpoint",
							events),
					sanitizer, properties.showPayloads(), shards.getIfAvailable());
		}

		@Bean
		@ConditionalOnMissingBean
		@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
		QueueEndpointWebExtension rowqueueEndpointWebExtension(QueueEndpoint endpoint,
				QueueEndpointProperties properties) {
			return new QueueEndpointWebExtension(endpoint, properties.showPayloads(), properties.roles());
		}

	}

}
