package io.pgqueue.autoconfigure;

import io.pgqueue.autoconfigure.worker.WindowsAtStart;
import io.pgqueue.engine.window.ClusterWindows;
import io.pgqueue.engine.window.WindowStore;
import io.pgqueue.engine.window.WindowTask;
import io.pgqueue.window.Windows;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration of the times in which queues and types are run.
 *
 * @see Windows
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "pgqueue.enabled", matchIfMissing = true)
@EnableConfigurationProperties(WindowProperties.class)
public final class QueueWindowAutoConfiguration {

	/** Takes part in the transactions of the application, like an enqueue. */
	@Bean
	@ConditionalOnMissingBean(Windows.class)
	ClusterWindows pgqueueWindows(QueueDatabases databases) {
		return new ClusterWindows(new WindowStore(databases.application()));
	}

	@Bean
	@Order(3)
	@ConditionalOnBooleanProperty(name = "pgqueue.worker.enabled", matchIfMissing = true)
	WindowTask pgqueueWindowTask(QueueDatabases databases, WindowsAtStart declared) {
		return new WindowTask(new WindowStore(databases.worker()), declared::writeMissing);
	}

}
