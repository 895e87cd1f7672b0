package io.rowqueue.schedule.autoconfigure;

import io.rowqueue.engine.database.DisabledDataSource;
import io.rowqueue.engine.enqueue.CheckedPayloads;
import io.rowqueue.engine.schedule.ClusterSchedules;
import io.rowqueue.engine.schedule.ScheduleStore;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.schedule.Schedules;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of {@link Schedules} where the queue is switched off: each use
 * fails.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", havingValue = false)
public final class QueueSchedulesDisabledAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(Schedules.class)
	ClusterSchedules rowqueueSchedules() {
		return new ClusterSchedules(new ScheduleStore(DisabledDataSource.DATABASE), CheckedPayloads.ofDefaults(),
				WakeUps.ofThisProcess(DisabledDataSource.DATABASE));
	}

}
