package io.rowqueue.autoconfigure.worker;

import io.rowqueue.autoconfigure.connection.WorkerConnections;
import io.rowqueue.engine.database.JoinedTransaction;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.transport.TransportParts;
import io.rowqueue.engine.wakeup.JobEndings;
import io.rowqueue.engine.wakeup.WakeUps;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a worker that use the database.
 *
 * @param databases the database
 * @param caller the transaction of the application that a thread is in
 * @param connections the worker's own connections
 * @param wakeUps notified of jobs that this process enqueues
 * @param endings notified of the ends of jobs that it runs
 * @param transport the broker that carries some of the jobs; {@code null}: there is none
 */
record WorkerDatabase(QueueDatabases databases, JoinedTransaction caller, WorkerConnections connections,
		WakeUps wakeUps, JobEndings endings, @Nullable TransportParts transport) {

}
