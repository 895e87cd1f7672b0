package io.rowqueue.autoconfigure.schema;

import io.rowqueue.autoconfigure.QueueAutoConfiguration;
import io.rowqueue.autoconfigure.QueueProperties;
import io.rowqueue.autoconfigure.connection.QueueConnectionAutoConfiguration;
import io.rowqueue.autoconfigure.connection.WorkerConnections;
import io.rowqueue.engine.database.ApplicationDataSource;
import io.rowqueue.engine.database.ShardName;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.migration.QueueSchema;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the queue's tables, which are created or checked before they are
 * used. The application's own Flyway, Liquibase or scripts run before that, and are not
 * affected.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = QueueConnectionAutoConfiguration.class, before = QueueAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", matchIfMissing = true)
public final class QueueSchemaAutoConfiguration {

	@Bean
	QueueSchemaInitializer rowqueueSchemaInitializer(ApplicationDataSource application, QueueProperties properties,
			WorkerConnections connections, ObjectProvider<ShardName> shard, Outage outage) {
		ShardName name = shard.getIfAvailable();
		return new QueueSchemaInitializer(
				new QueueSchema(application.dataSource(), properties.schema().schemaName(), properties.schema().mode()),
				connections.unpooled(), application.enabled(), (name != null && name.home()) ? name.value() : null,
				outage);
	}

}
