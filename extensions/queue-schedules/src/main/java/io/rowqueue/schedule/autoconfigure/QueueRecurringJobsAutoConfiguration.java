package io.rowqueue.schedule.autoconfigure;

import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.listen.JobListeners;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.schedule.ScheduleStore;
import io.rowqueue.engine.schedule.ScheduleTask;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.listen.JobListener;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the recurring jobs that an application declares, and of the task
 * that enqueues their jobs. In a queue that has several databases they belong to the home
 * shard.
 *
 * @since 0.1.0
 */
@AutoConfiguration(beforeName = "io.rowqueue.autoconfigure.QueueAutoConfiguration")
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", matchIfMissing = true)
@EnableConfigurationProperties(SchedulesProperties.class)
public final class QueueRecurringJobsAutoConfiguration {

	@Bean
	RecurringJobs rowqueueRecurringJobs(Environment environment, ListableBeanFactory beans,
			SchedulesProperties properties) {
		return new RecurringJobs(new ScheduleDrafts(environment, properties.recurring()),
				new Calendars(beans, properties.calendars()));
	}

	/** What only processes with a worker have. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "rowqueue.worker.enabled", matchIfMissing = true)
	static class WorkerConfiguration {

		/**
		 * Created when the worker starts: a listener may need beans that need the worker.
		 */
		@Bean
		@Lazy
		@Order(1)
		ScheduleTask rowqueueScheduleTask(QueueDatabases databases, WakeUps wakeUps, RecurringJobs recurring,
				ObjectProvider<JobListener> listeners, ObjectProvider<StoreListener> storeListener) {
			return new ScheduleTask(new ScheduleStore(databases.worker()), wakeUps, recurring.declared(),
					JobListeners.of(listeners.orderedStream().toList()),
					storeListener.getIfAvailable(() -> StoreListener.NONE));
		}

	}

}
