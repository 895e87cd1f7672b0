package io.rowqueue.shard.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of the health of shards.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueShardAutoConfiguration.class,
		afterName = "io.rowqueue.monitoring.autoconfigure.health.QueueHealthAutoConfiguration")
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean(ShardsLifecycle.class)
public final class QueueShardHealthAutoConfiguration {

	/** A class of its own, because its condition is a class that may be missing. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnEnabledHealthIndicator("rowqueue")
	static class HealthConfiguration {

		@Bean
		ShardsHealthIndicator rowqueueShardsHealthIndicator(ShardsLifecycle shards) {
			return new ShardsHealthIndicator(shards::hosts);
		}

	}

}
