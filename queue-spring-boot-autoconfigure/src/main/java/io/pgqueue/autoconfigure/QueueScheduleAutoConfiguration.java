package io.pgqueue.autoconfigure;

import io.pgqueue.JobListener;
import io.pgqueue.Schedules;
import io.pgqueue.autoconfigure.handler.HandlerRegistryFactory;
import io.pgqueue.codec.PayloadCodec;
import io.pgqueue.enqueue.PayloadWriter;
import io.pgqueue.schedule.ClusterSchedules;
import io.pgqueue.schedule.ScheduleTask;
import io.pgqueue.store.ScheduleStore;
import io.pgqueue.store.StoreListener;
import io.pgqueue.support.JobListeners;
import io.pgqueue.wakeup.WakeUps;

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
@ConditionalOnBooleanProperty(name = "queue.enabled", matchIfMissing = true)
public final class QueueScheduleAutoConfiguration {

	/** Takes part in the transactions of the application, like an enqueue. */
	@Bean
	@ConditionalOnMissingBean(Schedules.class)
	ClusterSchedules queueSchedules(QueueDatabases databases, PayloadCodec codec, WakeUps wakeUps,
			QueueProperties properties) {
		return new ClusterSchedules(new ScheduleStore(databases.application()),
				new PayloadWriter(codec, properties.maxPayloadSize())::payload, wakeUps);
	}

	/** Made when the worker starts: a listener may need beans that need it. */
	@Bean
	@Lazy
	@Order(1)
	@ConditionalOnBooleanProperty(name = "queue.worker.enabled", matchIfMissing = true)
	ScheduleTask queueScheduleTask(QueueDatabases databases, WakeUps wakeUps, HandlerRegistryFactory handlers,
			ObjectProvider<JobListener> listeners, ObjectProvider<StoreListener> storeListener) {
		return new ScheduleTask(new ScheduleStore(databases.worker()), wakeUps, handlers.schedules(),
				JobListeners.of(listeners.orderedStream().toList()),
				storeListener.getIfAvailable(() -> StoreListener.NONE));
	}

}
