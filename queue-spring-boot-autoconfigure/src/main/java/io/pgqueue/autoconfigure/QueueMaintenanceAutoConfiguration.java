package io.pgqueue.autoconfigure;

import io.pgqueue.maintenance.HorizonTask;
import io.pgqueue.maintenance.LeaseCheckTask;
import io.pgqueue.maintenance.OpenBatchesTask;
import io.pgqueue.maintenance.PromoteTask;
import io.pgqueue.maintenance.RecoverTask;
import io.pgqueue.maintenance.RetainTask;
import io.pgqueue.maintenance.Task;
import io.pgqueue.store.HorizonStore;
import io.pgqueue.store.LeaseCheck;
import io.pgqueue.store.MaintenanceStore;
import io.pgqueue.store.WorkerStore;
import io.pgqueue.wakeup.WakeUps;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration of the tasks that keep the queue in order. Each {@link Task} among
 * the beans is one: features bring their own. Tasks that take long have no order and come
 * last.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueWorkerAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "queue.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "queue.worker.enabled", matchIfMissing = true)
public final class QueueMaintenanceAutoConfiguration {

	@Bean
	@Order(0)
	PromoteTask queuePromoteTask(MaintenanceStore store, WakeUps wakeUps) {
		return new PromoteTask(store, wakeUps);
	}

	@Bean
	RecoverTask queueRecoverTask(WorkerStore store, WakeUps wakeUps, QueueProperties properties) {
		return new RecoverTask(store, wakeUps, properties.worker().settings().maxAttempts());
	}

	@Bean
	LeaseCheckTask queueLeaseCheckTask(QueueDatabases databases) {
		return new LeaseCheckTask(new LeaseCheck(databases.worker()));
	}

	@Bean
	RetainTask queueRetainTask(QueueDatabases databases, QueueProperties properties) {
		return new RetainTask(databases.worker(), properties.retention().retention());
	}

	@Bean
	OpenBatchesTask queueOpenBatchesTask(MaintenanceStore store) {
		return new OpenBatchesTask(store);
	}

	@Bean
	HorizonTask queueHorizonTask(QueueDatabases databases) {
		return new HorizonTask(new HorizonStore(databases.worker()));
	}

}
