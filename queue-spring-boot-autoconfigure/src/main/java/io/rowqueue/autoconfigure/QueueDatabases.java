package io.rowqueue.autoconfigure;

import io.rowqueue.engine.database.QueueDatabase;

/**
 * The database of the queue.
 *
 * @param application as the application sees it: statements take part in its transactions
 * @param worker as workers see it: each statement has a transaction of its own
 */
public record QueueDatabases(QueueDatabase application, QueueDatabase worker) {

}
