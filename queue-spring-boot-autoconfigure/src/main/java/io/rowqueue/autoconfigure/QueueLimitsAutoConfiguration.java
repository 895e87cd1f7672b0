package io.rowqueue.autoconfigure;

import io.rowqueue.JobQueue;
import io.rowqueue.engine.control.DeclaredLimits;
import io.rowqueue.engine.control.DefaultJobLimits;
import io.rowqueue.engine.database.ApplicationDataSource;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.database.ShardName;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.limit.JobLimits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the limits that hold for the whole cluster.
 *
 * @see JobQueue
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", matchIfMissing = true)
public final class QueueLimitsAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(QueueLimitsAutoConfiguration.class);

	@Bean
	@ConditionalOnMissingBean(value = JobLimits.class, search = SearchStrategy.CURRENT)
	DefaultJobLimits rowqueueJobLimits(QueueDatabases databases, WakeUps wakeUps) {
		return new DefaultJobLimits(databases.worker(), wakeUps);
	}

	/** Runs before any worker starts. */
	@Bean
	@DependsOnDatabaseInitialization
	LimitsAtStart rowqueueLimitsAtStart(JobLimits limits, QueueProperties properties, ApplicationDataSource application,
			ObjectProvider<ShardName> shard) {
		ShardName name = shard.getIfAvailable();
		return new LimitsAtStart(limits, properties.limits(), application.enabled(), name != null && name.home());
	}

	@Bean
	static LazyInitializationExcludeFilter rowqueueLimitsLazyInitializationExcludeFilter() {
		return LazyInitializationExcludeFilter.forBeanTypes(LimitsAtStart.class);
	}

	/**
	 * Stores the limits of the properties. Those of a home shard that is not available
	 * are stored when it is.
	 */
	record LimitsAtStart(JobLimits limits, LimitProperties properties, boolean enabled,
			boolean ofHomeShard) implements SmartInitializingSingleton, DeclaredLimits {

		@Override
		public void write() {
			this.properties.applyTo(this.limits);
		}

		@Override
		public void afterSingletonsInstantiated() {
			if (!this.enabled) {
				return;
			}
			try {
				write();
			}
			catch (RuntimeException ex) {
				if (!this.ofHomeShard || !Outage.isAway(ex)) {
					throw ex;
				}
				logger.debug("The limits are stored when the home shard is available", ex);
			}
		}

	}

}
