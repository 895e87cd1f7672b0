package io.pgqueue.autoconfigure.schema;

import io.pgqueue.autoconfigure.ApplicationDataSource;
import io.pgqueue.autoconfigure.QueueAutoConfiguration;
import io.pgqueue.autoconfigure.QueueProperties;
import io.pgqueue.autoconfigure.ShardName;
import io.pgqueue.autoconfigure.connection.QueueConnectionAutoConfiguration;
import io.pgqueue.engine.support.Outage;
import io.pgqueue.schema.QueueSchema;
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
@ConditionalOnBooleanProperty(name = "pgqueue.enabled", matchIfMissing = true)
public final class QueueSchemaAutoConfiguration {

	@Bean
	QueueSchemaInitializer pgqueueSchemaInitializer(ApplicationDataSource application, QueueProperties properties,
			ObjectProvider<ShardName> shard, Outage outage) {
		ShardName name = shard.getIfAvailable();
		return new QueueSchemaInitializer(
				new QueueSchema(application.dataSource(), properties.schema().schemaName(), properties.schema().mode()),
				application.enabled(), (name != null && name.home()) ? name.value() : null, outage);
	}

}
