package io.rowqueue.engine.finish;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.engine.lease.LeaseStore;
import io.rowqueue.engine.lease.OutcomeStore;
import io.rowqueue.engine.lease.SuccessStore;
import io.rowqueue.engine.signal.WaitStore;

/**
 * What a worker writes about the jobs that it holds.
 *
 * @param leases while it holds them
 * @param successes ends of jobs that succeeded
 * @param outcomes other ends of attempts, and what handlers hold with them
 * @param waits ends of attempts whose handlers wait
 */
public record LeaseDatabase(LeaseStore leases, SuccessStore successes, OutcomeStore outcomes, WaitStore waits) {

	/** In a database as workers see it. */
	public LeaseDatabase(QueueDatabase worker, KeptJobs kept) {
		this(new LeaseStore(worker), new SuccessStore(worker, kept), new OutcomeStore(worker), new WaitStore(worker));
	}

}
