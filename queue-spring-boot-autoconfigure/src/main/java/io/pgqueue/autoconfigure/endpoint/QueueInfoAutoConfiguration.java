package io.pgqueue.autoconfigure.endpoint;

import io.pgqueue.admin.QueueOverview;
import io.pgqueue.autoconfigure.QueueAutoConfiguration;
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
 * {@code management.info.pgqueue.enabled} is true, as with Boot's own versions.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueAutoConfiguration.class)
@ConditionalOnClass({ InfoContributor.class, ConditionalOnEnabledInfoContributor.class })
@ConditionalOnBooleanProperty(name = "pgqueue.enabled", matchIfMissing = true)
@ConditionalOnBean(QueueOverview.class)
public final class QueueInfoAutoConfiguration {

	/** A class of its own, because its condition is a class that may be missing. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnEnabledInfoContributor(value = "pgqueue", fallback = InfoContributorFallback.DISABLE)
	static class InfoConfiguration {

		@Bean
		QueueInfoContributor pgqueueInfoContributor(QueueOverview overview) {
			return new QueueInfoContributor(overview);
		}

	}

}
