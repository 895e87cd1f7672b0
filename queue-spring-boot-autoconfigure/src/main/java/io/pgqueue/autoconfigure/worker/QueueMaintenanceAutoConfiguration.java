package io.pgqueue.autoconfigure.worker;

import io.pgqueue.autoconfigure.QueueDatabases;
import io.pgqueue.autoconfigure.QueueProperties;
import io.pgqueue.engine.flow.OpenBatchesTask;
import io.pgqueue.engine.history.RetainTask;
import io.pgqueue.engine.maintenance.MaintenanceStore;
import io.pgqueue.engine.maintenance.PromoteTask;
import io.pgqueue.engine.maintenance.Task;
import io.pgqueue.engine.measure.HorizonStore;
import io.pgqueue.engine.measure.HorizonTask;
import io.pgqueue.engine.recovery.LeaseCheckStore;
import io.pgqueue.engine.recovery.LeaseCheckTask;
import io.pgqueue.engine.recovery.RecoverTask;
import io.pgqueue.engine.wakeup.WakeUps;
import io.pgqueue.engine.worker.WorkerStore;
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
@ConditionalOnBooleanProperty(name = "pgqueue.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "pgqueue.worker.enabled", matchIfMissing = true)
public final class QueueMaintenanceAutoConfiguration {

	@Bean
	@Order(0)
	PromoteTask pgqueuePromoteTask(MaintenanceStore store, WakeUps wakeUps) {
		return new PromoteTask(store, wakeUps);
	}

	@Bean
	RecoverTask pgqueueRecoverTask(WorkerStore store, WakeUps wakeUps, QueueProperties properties) {
		return new RecoverTask(store, wakeUps, properties.worker().settings().maxAttempts());
	}

	@Bean
	LeaseCheckTask pgqueueLeaseCheckTask(QueueDatabases databases) {
		return new LeaseCheckTask(new LeaseCheckStore(databases.worker()));
	}

	@Bean
	RetainTask pgqueueRetainTask(QueueDatabases databases, QueueProperties properties) {
		return new RetainTask(databases.worker(), properties.retention().retention());
	}

	@Bean
	OpenBatchesTask pgqueueOpenBatchesTask(MaintenanceStore store) {
		return new OpenBatchesTask(store);
	}

	@Bean
	HorizonTask pgqueueHorizonTask(QueueDatabases databases) {
		return new HorizonTask(new HorizonStore(databases.worker()));
	}

}
