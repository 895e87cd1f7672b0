package io.pgqueue.autoconfigure;

import io.pgqueue.store.QueueDatabase;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The queue's database, as each of its two callers sees it. Whoever needs one names it.
 */
@Configuration(proxyBeanMethods = false)
class QueueDatabaseConfiguration {

	/** Statements take part in the transactions of the application. */
	static final String FOR_APPLICATION = "queueDatabaseForApplication";

	/** Each statement has a transaction of its own. */
	static final String FOR_WORKERS = "queueDatabaseForWorkers";

	@Bean(FOR_APPLICATION)
	QueueDatabase queueDatabaseForApplication(QueueConnections connections, QueueProperties properties) {
		return new QueueDatabase(new JdbcTemplate(connections.enqueueing()), properties.schema().schemaName());
	}

	@Bean(FOR_WORKERS)
	QueueDatabase queueDatabaseForWorkers(WorkerConnections connections, QueueProperties properties) {
		return new QueueDatabase(new JdbcTemplate(connections.dataSource()), properties.schema().schemaName());
	}

}
