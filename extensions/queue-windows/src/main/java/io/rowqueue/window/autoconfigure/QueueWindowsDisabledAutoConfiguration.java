package io.rowqueue.window.autoconfigure;

import io.rowqueue.engine.database.DisabledDataSource;
import io.rowqueue.engine.window.ClusterWindows;
import io.rowqueue.engine.window.WindowStore;
import io.rowqueue.window.Windows;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of {@link Windows} where the queue is switched off: each use fails.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", havingValue = false)
public final class QueueWindowsDisabledAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(Windows.class)
	ClusterWindows rowqueueWindows() {
		return new ClusterWindows(new WindowStore(DisabledDataSource.DATABASE));
	}

}
