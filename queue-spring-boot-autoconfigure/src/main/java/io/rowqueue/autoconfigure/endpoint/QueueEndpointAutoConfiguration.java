package io.rowqueue.autoconfigure.endpoint;

import io.rowqueue.admin.JobAdmin;
import io.rowqueue.autoconfigure.QueueLimitsAutoConfiguration;
import io.rowqueue.engine.figures.ErrorGroupStore;
import io.rowqueue.schedule.Schedules;
import io.rowqueue.shard.autoconfigure.ShardBeans;
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
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of the actuator endpoint {@code rowqueue}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueLimitsAutoConfiguration.class)
@ConditionalOnClass({ ConditionalOnAvailableEndpoint.class, JobAdmin.class, Schedules.class, Windows.class,
		ErrorGroupStore.class })
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
		QueueEndpoint rowqueueEndpoint(ApplicationContext beans, ObjectProvider<ShardBeans> shards,
				ObjectProvider<SanitizingFunction> functions, QueueEndpointProperties properties) {
			return new QueueEndpoint(new EndpointShards(beans, shards.getIfAvailable()),
					new Sanitizer(functions.orderedStream().toList()), properties.showPayloads());
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
