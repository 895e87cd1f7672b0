package io.rowqueue.autoconfigure.worker;

import io.rowqueue.autoconfigure.connection.WorkerConnections;
import io.rowqueue.engine.database.JoinedTransaction;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.enqueue.Carriage;
import io.rowqueue.engine.wakeup.JobEndings;
import io.rowqueue.engine.wakeup.WakeUps;
import io.rowqueue.engine.worker.WorkerPart;

/**
 * The parts of a worker that use the database.
 *
 * @param databases the database
 * @param caller the transaction of the application that a thread is in
 * @param connections the worker's own connections
 * @param wakeUps notified of jobs that this process enqueues
 * @param endings notified of the ends of jobs that it runs
 * @param carriage what carries some of the jobs
 * @param part what takes part in the main worker
 */
record WorkerDatabase(QueueDatabases databases, JoinedTransaction caller, WorkerConnections connections,
		WakeUps wakeUps, JobEndings endings, Carriage carriage, WorkerPart.Factory part) {

}
