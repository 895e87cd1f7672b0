package io.rowqueue.window.autoconfigure;

import io.rowqueue.engine.database.ApplicationDataSource;
import io.rowqueue.engine.database.JoinedTransaction;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.window.ClusterWindows;
import io.rowqueue.engine.window.WindowStore;
import io.rowqueue.engine.window.WindowTask;
import io.rowqueue.window.Windows;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/**
 * Auto-configuration of the windows that queues and types run in.
 *
 * @since 0.1.0
 */
@AutoConfiguration(beforeName = "io.rowqueue.autoconfigure.QueueAutoConfiguration")
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", matchIfMissing = true)
@EnableConfigurationProperties(WindowsProperties.class)
public final class QueueWindowsAutoConfiguration {

	@Bean
	WindowStore rowqueueWindowStore(QueueDatabases databases) {
		return new WindowStore(databases.worker());
	}

	@Bean
	@ConditionalOnMissingBean(value = Windows.class, search = SearchStrategy.CURRENT)
	ClusterWindows rowqueueWindows(QueueDatabases databases, ApplicationDataSource application, WindowStore alone) {
		JoinedTransaction transaction = new JoinedTransaction(application.dataSource());
		return new ClusterWindows(transaction.inTransactionOrAlone(new WindowStore(databases.application()), alone));
	}

	/** What only processes with a worker have. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty(name = "rowqueue.worker.enabled", matchIfMissing = true)
	static class WorkerConfiguration {

		@Bean
		WindowsAtStart rowqueueWindowsAtStart(WindowStore store, WindowsProperties properties) {
			return new WindowsAtStart(store, properties.list());
		}

		@Bean
		@Order(3)
		WindowTask rowqueueWindowTask(WindowStore store, WindowsAtStart declared) {
			return new WindowTask(store, declared::writeMissing);
		}

	}

}
