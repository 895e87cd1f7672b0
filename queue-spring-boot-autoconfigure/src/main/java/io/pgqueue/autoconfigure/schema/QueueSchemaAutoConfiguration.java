package io.pgqueue.autoconfigure.schema;

import javax.sql.DataSource;

import io.pgqueue.autoconfigure.QueueProperties;
import io.pgqueue.autoconfigure.UnknownProperties;
import io.pgqueue.autoconfigure.connection.QueueConnections;
import io.pgqueue.autoconfigure.connection.QueueDataSource;
import io.pgqueue.autoconfigure.disabled.DisabledDataSource;
import io.pgqueue.schema.QueueSchema;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * Chooses the queue's database and has its tables in place before they are used. The
 * application's own Flyway, Liquibase or scripts run before, and know nothing of it.
 * <p>
 * Ahead-of-time processing decides the conditions of all of the queue's
 * auto-configurations once. What starts by itself therefore looks at the properties again
 * when it does.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = DataSourceAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "pgqueue.enabled", matchIfMissing = true)
@EnableConfigurationProperties(QueueProperties.class)
@Import(DatabaseInitializationDependencyConfigurer.class)
public final class QueueSchemaAutoConfiguration {

	@Bean
	QueueConnections pgqueueConnections(QueueProperties properties, Environment environment,
			@QueueDataSource ObjectProvider<DataSource> marked, ObjectProvider<DataSource> others) {
		UnknownProperties.warn(environment);
		return properties.enabled() ? QueueConnections.choose(marked, others)
				: new QueueConnections(new DisabledDataSource());
	}

	@Bean
	QueueSchemaInitializer pgqueueSchemaInitializer(QueueConnections connections, QueueProperties properties) {
		return new QueueSchemaInitializer(
				new QueueSchema(connections.enqueueing(), properties.schema().schemaName(), properties.schema().mode()),
				properties.enabled());
	}

}
