package io.rowqueue.autoconfigure.disabled;

import io.rowqueue.JobQueue;
import io.rowqueue.control.JobControl;
import io.rowqueue.engine.control.ChangeScope;
import io.rowqueue.engine.control.DefaultJobControl;
import io.rowqueue.engine.control.DefaultJobLimits;
import io.rowqueue.engine.control.PayloadChange;
import io.rowqueue.engine.database.DisabledDataSource;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.database.QueueDisabledException;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.limit.JobLimits;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of what applications inject, where the queue is switched off. The
 * application starts, and each use fails with a {@link QueueDisabledException}: a job
 * that was accepted and forgotten would be a lost job.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", havingValue = false)
public final class QueueDisabledAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(JobQueue.class)
	DisabledJobQueue rowqueueJobQueue() {
		return new DisabledJobQueue();
	}

	@Bean
	@ConditionalOnMissingBean(JobLimits.class)
	DefaultJobLimits rowqueueJobLimits() {
		return new DefaultJobLimits(DisabledDataSource.DATABASE, WakeUps.ofThisProcess(DisabledDataSource.DATABASE));
	}

	@Bean
	@ConditionalOnMissingBean(JobControl.class)
	DefaultJobControl rowqueueJobControl() {
		return new DefaultJobControl(QueueDatabases.of(DisabledDataSource.DATABASE),
				ChangeScope.separate(DisabledDataSource.DATABASE), WakeUps.ofThisProcess(DisabledDataSource.DATABASE),
				PayloadChange.REFUSED);
	}

}
