package io.pgqueue.autoconfigure.endpoint;

import io.pgqueue.admin.QueueOverview;
import io.pgqueue.autoconfigure.QueueAutoConfiguration;

import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of what the queue says under {@code info}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueAutoConfiguration.class)
@ConditionalOnClass({ InfoContributor.class, ConditionalOnEnabledInfoContributor.class })
@ConditionalOnBean(QueueOverview.class)
@ConditionalOnEnabledInfoContributor("queue")
public final class QueueInfoAutoConfiguration {

	@Bean
	QueueInfoContributor queueInfoContributor(QueueOverview overview) {
		return new QueueInfoContributor(overview);
	}

}
