package io.rowqueue.autoconfigure.worker;

import io.rowqueue.autoconfigure.QueueProperties;
import io.rowqueue.engine.control.CancelRequestTask;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.history.RetainTask;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.maintenance.AdmitTask;
import io.rowqueue.engine.maintenance.ExpireTask;
import io.rowqueue.engine.maintenance.MaintenanceStore;
import io.rowqueue.engine.maintenance.PromoteTask;
import io.rowqueue.engine.maintenance.Task;
import io.rowqueue.engine.recovery.LeaseCheckStore;
import io.rowqueue.engine.recovery.LeaseCheckTask;
import io.rowqueue.engine.recovery.RecoverTask;
import io.rowqueue.engine.recovery.RecoveryStore;
import io.rowqueue.engine.wakeup.WakeUps;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration of the tasks that keep the queue in order. Each bean of the type
 * {@link Task} is one. Tasks that take long have no order and come last.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueWorkerAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "rowqueue.worker.enabled", matchIfMissing = true)
public final class QueueMaintenanceAutoConfiguration {

	@Bean
	@Order(0)
	PromoteTask rowqueuePromoteTask(MaintenanceStore store, WakeUps wakeUps) {
		return new PromoteTask(store, wakeUps);
	}

	@Bean
	@Order(2)
	AdmitTask rowqueueAdmitTask(WakeUps wakeUps) {
		return new AdmitTask(wakeUps.admission());
	}

	@Bean
	RecoverTask rowqueueRecoverTask(QueueDatabases databases, ObjectProvider<StoreListener> listener, WakeUps wakeUps,
			QueueProperties properties) {
		return new RecoverTask(new RecoveryStore(databases.worker(), listener.getIfAvailable(() -> StoreListener.NONE)),
				wakeUps, properties.recoveryRules());
	}

	@Bean
	LeaseCheckTask rowqueueLeaseCheckTask(QueueDatabases databases) {
		return new LeaseCheckTask(new LeaseCheckStore(databases.worker()));
	}

	@Bean
	RetainTask rowqueueRetainTask(QueueDatabases databases, QueueProperties properties, RetentionsAtStart declared) {
		return new RetainTask(databases.worker(), properties.retention().retention(), declared::writeMissing);
	}

	@Bean
	@Order(4)
	CancelRequestTask rowqueueCancelRequestTask(QueueDatabases databases) {
		return new CancelRequestTask(databases.worker());
	}

	@Bean
	@Order(5)
	ExpireTask rowqueueExpireTask(MaintenanceStore store, ObjectProvider<StoreListener> listener) {
		return new ExpireTask(store, listener.getIfAvailable(() -> StoreListener.NONE)::expired);
	}

}
