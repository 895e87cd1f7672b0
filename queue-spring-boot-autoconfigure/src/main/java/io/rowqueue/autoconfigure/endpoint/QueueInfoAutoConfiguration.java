package io.rowqueue.autoconfigure.endpoint;

import io.rowqueue.admin.QueueOverview;
import io.rowqueue.autoconfigure.QueueAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.autoconfigure.info.InfoContributorFallback;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of the queue's part of {@code info}, where
 * {@code management.info.rowqueue.enabled} is true, as with Boot's own versions.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueAutoConfiguration.class)
@ConditionalOnClass({ InfoContributor.class, ConditionalOnEnabledInfoContributor.class, QueueOverview.class })
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", matchIfMissing = true)
@ConditionalOnBean(QueueOverview.class)
public final class QueueInfoAutoConfiguration {

	/** A class of its own, because its condition is a class that may be missing. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnEnabledInfoContributor(value = "rowqueue", fallback = InfoContributorFallback.DISABLE)
	static class InfoConfiguration {

		@Bean
		QueueInfoContributor rowqueueInfoContributor(QueueOverview overview) {
			return new QueueInfoContributor(overview);
		}

	}

}
