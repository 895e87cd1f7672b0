package io.pgqueue.autoconfigure;

import io.pgqueue.PayloadCodec;
import io.pgqueue.autoconfigure.handler.HandlerRegistryFactory;
import io.pgqueue.engine.enqueue.PayloadWriter;
import io.pgqueue.engine.listen.JobListeners;
import io.pgqueue.engine.listen.StoreListener;
import io.pgqueue.engine.schedule.ClusterSchedules;
import io.pgqueue.engine.schedule.ScheduleStore;
import io.pgqueue.engine.schedule.ScheduleTask;
import io.pgqueue.engine.wakeup.WakeUps;
import io.pgqueue.listen.JobListener;
import io.pgqueue.schedule.Schedules;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration of recurring jobs.
 *
 * @see Schedules
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "pgqueue.enabled", matchIfMissing = true)
public final class QueueScheduleAutoConfiguration {

	/** Takes part in the transactions of the application, like an enqueue. */
	@Bean
	@ConditionalOnMissingBean(Schedules.class)
	ClusterSchedules pgqueueSchedules(QueueDatabases databases, PayloadCodec codec, WakeUps wakeUps,
			QueueProperties properties) {
		return new ClusterSchedules(new ScheduleStore(databases.application()),
				new PayloadWriter(codec, properties.maxPayloadSize())::payload, wakeUps);
	}

	/** Made when the worker starts: a listener may need beans that need it. */
	@Bean
	@Lazy
	@Order(1)
	@ConditionalOnBooleanProperty(name = "pgqueue.worker.enabled", matchIfMissing = true)
	ScheduleTask pgqueueScheduleTask(QueueDatabases databases, WakeUps wakeUps, HandlerRegistryFactory handlers,
			ObjectProvider<JobListener> listeners, ObjectProvider<StoreListener> storeListener) {
		return new ScheduleTask(new ScheduleStore(databases.worker()), wakeUps, handlers.schedules(),
				JobListeners.of(listeners.orderedStream().toList()),
				storeListener.getIfAvailable(() -> StoreListener.NONE));
	}

}
