package io.rowqueue.engine.database;

/**
 * The database of the queue.
 *
 * @param application as the application sees it: statements take part in its transactions
 * @param worker as workers see it: each statement has a transaction of its own
 */
public record QueueDatabases(QueueDatabase application, QueueDatabase worker) {

	/** Of a process that has no transactions of its own. */
	public static QueueDatabases of(QueueDatabase database) {
		return new QueueDatabases(database, database);
	}

}
