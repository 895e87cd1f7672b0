package io.rowqueue.schedule.autoconfigure;

import io.rowqueue.engine.database.ApplicationDataSource;
import io.rowqueue.engine.database.JoinedTransaction;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.enqueue.CheckedPayloads;
import io.rowqueue.engine.schedule.ClusterSchedules;
import io.rowqueue.engine.schedule.ScheduleStore;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.schedule.Schedules;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the {@link Schedules} of a database.
 *
 * @since 0.1.0
 */
@AutoConfiguration(beforeName = "io.rowqueue.autoconfigure.QueueAutoConfiguration")
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", matchIfMissing = true)
public final class QueueSchedulesAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(value = Schedules.class, search = SearchStrategy.CURRENT)
	ClusterSchedules rowqueueSchedules(QueueDatabases databases, ApplicationDataSource application, WakeUps wakeUps,
			CheckedPayloads payloads) {
		JoinedTransaction transaction = new JoinedTransaction(application.dataSource());
		return new ClusterSchedules(
				transaction.inTransactionOrAlone(new ScheduleStore(databases.application()),
						new ScheduleStore(databases.worker())),
				payloads, (arrivals) -> transaction.afterCommit(() -> wakeUps.jobsArrived(arrivals)));
	}

}
