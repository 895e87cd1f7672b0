package io.rowqueue.test.autoconfigure;

import io.rowqueue.autoconfigure.QueueAutoConfiguration;
import io.rowqueue.autoconfigure.worker.InlineQueue;
import io.rowqueue.autoconfigure.worker.InlineQueueConfiguration;
import io.rowqueue.test.QueueTester;
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
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", matchIfMissing = true)
@Import(InlineQueueConfiguration.class)
public final class QueueTesterAutoConfiguration {

	@Bean
	QueueTester rowqueueTester(InlineQueue queue) {
		return new QueueTester(queue);
	}

}
