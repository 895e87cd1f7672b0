package io.pgqueue.autoconfigure.worker;

import io.pgqueue.autoconfigure.connection.WorkerConnections;
import io.pgqueue.engine.transport.TransportParts;
import io.pgqueue.engine.wakeup.JobEndings;
import io.pgqueue.engine.wakeup.WakeUps;
import io.pgqueue.engine.worker.WorkerStore;
import io.pgqueue.engine.worker.WorkerStores;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a worker that use the database.
 *
 * @param stores claims jobs and stores their ends
 * @param workers the registrations and heartbeats
 * @param connections the worker's own connections
 * @param wakeUps notified of jobs that this process enqueues
 * @param endings notified of the ends of jobs that it runs
 * @param transport the broker that carries some of the jobs; {@code null}: there is none
 */
record WorkerDatabase(WorkerStores stores, WorkerStore workers, WorkerConnections connections, WakeUps wakeUps,
		JobEndings endings, @Nullable TransportParts transport) {

}
