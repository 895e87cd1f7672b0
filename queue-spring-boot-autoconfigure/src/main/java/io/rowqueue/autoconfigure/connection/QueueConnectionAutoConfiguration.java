package io.rowqueue.autoconfigure.connection;

import java.util.stream.Stream;

import javax.sql.DataSource;

import io.rowqueue.autoconfigure.QueueAutoConfiguration;
import io.rowqueue.autoconfigure.QueueProperties;
import io.rowqueue.autoconfigure.UnknownProperties;
import io.rowqueue.engine.database.ApplicationDataSource;
import io.rowqueue.engine.database.DisabledDataSource;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.database.ShardName;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.schema.SchemaName;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Auto-configuration of the queue's connections: the application's {@link DataSource}
 * that it uses, and the pool of its workers.
 * <p>
 * Ahead-of-time processing decides the conditions of all of the queue's
 * auto-configurations once. Beans that start by themselves therefore read the properties
 * again at each start.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = DataSourceAutoConfiguration.class, before = QueueAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "rowqueue.enabled", matchIfMissing = true)
@EnableConfigurationProperties(QueueProperties.class)
@Import(DatabaseInitializationDependencyConfigurer.class)
public final class QueueConnectionAutoConfiguration {

	@Bean
	ApplicationDataSource rowqueueApplicationDataSource(QueueProperties properties, Environment environment,
			@QueueDataSource ObjectProvider<DataSource> marked, ObjectProvider<DataSource> others) {
		UnknownProperties.warn(environment);
		return properties.enabled()
				? DataSourceSelection.select(marked, others, environment.containsProperty("rowqueue.enabled"))
				: new ApplicationDataSource(new DisabledDataSource(), false);
	}

	/** The address of the properties is that of the application's own database. */
	@Bean
	@ConditionalOnMissingBean(value = QueueConnectionDetails.class, search = SearchStrategy.CURRENT)
	PropertiesQueueConnectionDetails rowqueueConnectionDetails(QueueProperties properties,
			ObjectProvider<ShardName> shard) {
		ShardName name = shard.getIfAvailable();
		return new PropertiesQueueConnectionDetails((name == null || name.home()) ? properties.notifications() : null);
	}

	@Bean
	WorkerConnections rowqueueWorkerConnections(ApplicationDataSource application, QueueProperties properties,
			QueueConnectionDetails details, ObjectProvider<QueueDataSourceCustomizer> customizers,
			ObjectProvider<ShardName> shard) {
		Stream<QueueDataSourceCustomizer> name = shard.stream()
			.map((each) -> (pool) -> pool.setPoolName("rowqueue-" + each.value()));
		return new WorkerConnections(application.dataSource(), properties.connection(), details,
				Stream.concat(name, customizers.orderedStream()).toList());
	}

	@Bean
	@DependsOnDatabaseInitialization
	QueueDatabases rowqueueDatabases(ApplicationDataSource application, WorkerConnections worker,
			QueueProperties properties, ObjectProvider<ShardName> shard) {
		SchemaName schema = properties.schema().schemaName();
		DataSource shared = shard.stream().anyMatch(ShardName::home) ? application.dataSource() : null;
		return new QueueDatabases(new QueueDatabase(new JdbcTemplate(application.dataSource()), schema, shared),
				new QueueDatabase(new JdbcTemplate(worker.dataSource()), schema));
	}

	@Bean
	ReadPools rowqueueReadPools(ApplicationDataSource application, QueueProperties properties) {
		return new ReadPools(application.dataSource(), properties.connection(), properties.schema().schemaName());
	}

	@Bean
	Outage rowqueueOutage(WorkerConnections connections, ObjectProvider<ShardName> shard) {
		ShardName name = shard.getIfAvailable();
		return (name != null) ? new Outage("Shard " + name.value(), connections::renew)
				: new Outage("", connections::renew);
	}

}
