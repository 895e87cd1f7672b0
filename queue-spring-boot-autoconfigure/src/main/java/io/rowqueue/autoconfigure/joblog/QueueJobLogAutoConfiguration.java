package io.rowqueue.autoconfigure.joblog;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import io.rowqueue.autoconfigure.QueueAutoConfiguration;
import io.rowqueue.autoconfigure.QueueProperties;
import io.rowqueue.engine.job.JobStore;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration of the appender that keeps what handlers log with Logback with their
 * jobs.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueAutoConfiguration.class)
@ConditionalOnClass(LoggerContext.class)
@ConditionalOnBooleanProperty(name = "rowqueue.worker.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "rowqueue.job-log.appender.enabled")
@ConditionalOnBean(JobStore.class)
public final class QueueJobLogAutoConfiguration {

	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	JobLogAppender rowqueueJobLogAppender(QueueProperties properties) {
		return JobLogAppender.attach(Level.valueOf(properties.jobLog().appender().level().name()));
	}

}
