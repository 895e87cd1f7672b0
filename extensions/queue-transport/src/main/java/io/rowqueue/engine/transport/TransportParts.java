package io.rowqueue.engine.transport;

import javax.sql.DataSource;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.handler.HandlerRegistry;
import io.rowqueue.engine.slot.Pools;
import io.rowqueue.engine.support.Outage;
import io.rowqueue.engine.worker.WorkerPart;
import io.rowqueue.engine.worker.WorkerParts;
import io.rowqueue.listen.JobListener;
import io.rowqueue.transport.JobTransport;

/**
 * What a worker needs to run the jobs that a broker carries.
 *
 * @param transport the broker
 * @param database the database as workers see it
 * @param dataSource the data source of its statements
 * @param receives whether the worker receives jobs: of several databases, one takes over
 * all jobs, so that each delivery of a job finds the outcomes of the others
 */
public record TransportParts(JobTransport transport, QueueDatabase database, DataSource dataSource,
		boolean receives) implements WorkerPart.Factory {

	@Override
	public void check(HandlerRegistry handlers) {
		TypeCheck.check(this.transport, handlers);
	}

	@Override
	public WorkerPart create(long workerId, Pools pools, WorkerParts parts, JobListener listener, Outage outage) {
		return new TransportWorker(this, workerId, pools, parts.wakeUps(), parts.hooks(), listener, outage);
	}

}
