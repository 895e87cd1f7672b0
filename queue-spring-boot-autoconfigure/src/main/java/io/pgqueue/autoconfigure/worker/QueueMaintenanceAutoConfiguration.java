package io.pgqueue.autoconfigure.worker;

import io.pgqueue.admin.JobAdmin;
import io.pgqueue.autoconfigure.QueueDatabases;
import io.pgqueue.autoconfigure.QueueProperties;
import io.pgqueue.autoconfigure.handler.HandlerRegistryFactory;
import io.pgqueue.engine.admin.CancelRequestTask;
import io.pgqueue.engine.flow.OpenBatchesTask;
import io.pgqueue.engine.history.RetainTask;
import io.pgqueue.engine.listen.JobListeners;
import io.pgqueue.engine.listen.StoreListener;
import io.pgqueue.engine.maintenance.AdmitTask;
import io.pgqueue.engine.maintenance.ExpireTask;
import io.pgqueue.engine.maintenance.MaintenanceStore;
import io.pgqueue.engine.maintenance.PromoteTask;
import io.pgqueue.engine.maintenance.Task;
import io.pgqueue.engine.measure.HorizonStore;
import io.pgqueue.engine.measure.HorizonTask;
import io.pgqueue.engine.operation.BulkStore;
import io.pgqueue.engine.operation.BulkTask;
import io.pgqueue.engine.recovery.LeaseCheckStore;
import io.pgqueue.engine.recovery.LeaseCheckTask;
import io.pgqueue.engine.recovery.RecoverTask;
import io.pgqueue.engine.schedule.ScheduleStore;
import io.pgqueue.engine.schedule.ScheduleTask;
import io.pgqueue.engine.search.JobSearchStore;
import io.pgqueue.engine.transport.DeleteAcknowledgedTask;
import io.pgqueue.engine.wakeup.WakeUps;
import io.pgqueue.engine.window.WindowStore;
import io.pgqueue.engine.window.WindowTask;
import io.pgqueue.engine.worker.WorkerStore;
import io.pgqueue.listen.JobListener;
import io.pgqueue.transport.JobTransport;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration of the tasks that keep the queue in order. Each bean of the type
 * {@link Task} is one. Tasks that take long have no order and come last.
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

	/**
	 * Created when the worker starts: a listener may need beans that need the worker.
	 */
	@Bean
	@Lazy
	@Order(1)
	ScheduleTask pgqueueScheduleTask(QueueDatabases databases, WakeUps wakeUps, HandlerRegistryFactory handlers,
			ObjectProvider<JobListener> listeners, ObjectProvider<StoreListener> storeListener) {
		return new ScheduleTask(new ScheduleStore(databases.worker()), wakeUps, handlers.schedules(),
				JobListeners.of(listeners.orderedStream().toList()),
				storeListener.getIfAvailable(() -> StoreListener.NONE));
	}

	@Bean
	@Order(2)
	AdmitTask pgqueueAdmitTask(WakeUps wakeUps) {
		return new AdmitTask(wakeUps.admission());
	}

	@Bean
	@Order(3)
	WindowTask pgqueueWindowTask(QueueDatabases databases, WindowsAtStart declared) {
		return new WindowTask(new WindowStore(databases.worker()), declared::writeMissing);
	}

	@Bean
	RecoverTask pgqueueRecoverTask(WorkerStore store, WakeUps wakeUps, QueueProperties properties) {
		return new RecoverTask(store, wakeUps, properties.recoveryRules());
	}

	@Bean
	LeaseCheckTask pgqueueLeaseCheckTask(QueueDatabases databases) {
		return new LeaseCheckTask(new LeaseCheckStore(databases.worker()));
	}

	@Bean
	RetainTask pgqueueRetainTask(QueueDatabases databases, QueueProperties properties, RetentionsAtStart declared) {
		return new RetainTask(databases.worker(), properties.retention().retention(), declared::writeMissing);
	}

	@Bean
	OpenBatchesTask pgqueueOpenBatchesTask(MaintenanceStore store) {
		return new OpenBatchesTask(store);
	}

	@Bean
	BulkTask pgqueueBulkTask(QueueDatabases databases, JobAdmin jobs) {
		return new BulkTask(new BulkStore(databases.worker()), new JobSearchStore(databases.worker()), jobs);
	}

	@Bean
	@Order(4)
	CancelRequestTask pgqueueCancelRequestTask(QueueDatabases databases, JobAdmin jobs) {
		return new CancelRequestTask(databases.worker(), jobs);
	}

	@Bean
	@Order(5)
	ExpireTask pgqueueExpireTask(QueueDatabases databases, ObjectProvider<StoreListener> listener) {
		return new ExpireTask(databases.worker(), listener.getIfAvailable(() -> StoreListener.NONE)::expired);
	}

	@Bean
	@ConditionalOnBean(JobTransport.class)
	DeleteAcknowledgedTask pgqueueDeleteAcknowledgedTask(JobTransport transport) {
		return new DeleteAcknowledgedTask(transport);
	}

	@Bean
	HorizonTask pgqueueHorizonTask(QueueDatabases databases) {
		return new HorizonTask(new HorizonStore(databases.worker()));
	}

}
