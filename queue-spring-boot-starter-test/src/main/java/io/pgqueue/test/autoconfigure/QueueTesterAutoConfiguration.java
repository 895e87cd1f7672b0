package io.pgqueue.test.autoconfigure;

import io.pgqueue.autoconfigure.QueueAutoConfiguration;
import io.pgqueue.autoconfigure.worker.InlineQueue;
import io.pgqueue.autoconfigure.worker.InlineQueueConfiguration;
import io.pgqueue.test.QueueTester;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Auto-configuration of the {@link QueueTester}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "pgqueue.enabled", matchIfMissing = true)
@Import(InlineQueueConfiguration.class)
public final class QueueTesterAutoConfiguration {

	@Bean
	QueueTester pgqueueTester(InlineQueue queue) {
		return new QueueTester(queue);
	}

}
