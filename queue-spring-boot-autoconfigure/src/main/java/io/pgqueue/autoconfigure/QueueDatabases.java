package io.pgqueue.autoconfigure;

import io.pgqueue.autoconfigure.connection.QueueConnections;
import io.pgqueue.autoconfigure.connection.WorkerConnections;
import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The database of the queue.
 *
 * @param application as the application sees it: statements take part in its transactions
 * @param worker as workers see it: each statement has a transaction of its own
 */
public record QueueDatabases(QueueDatabase application, QueueDatabase worker) {

	QueueDatabases(QueueConnections application, WorkerConnections worker, SchemaName schema) {
		this(new QueueDatabase(new JdbcTemplate(application.enqueueing()), schema),
				new QueueDatabase(new JdbcTemplate(worker.dataSource()), schema));
	}

}
