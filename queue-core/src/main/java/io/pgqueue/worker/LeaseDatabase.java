package io.pgqueue.worker;

import io.pgqueue.store.KeptJobs;
import io.pgqueue.store.LeaseStore;
import io.pgqueue.store.OutcomeStore;
import io.pgqueue.store.QueueDatabase;
import io.pgqueue.store.SuccessStore;

/**
 * What a worker writes about the jobs that it holds.
 *
 * @param leases while it holds them
 * @param successes ends of jobs that succeeded
 * @param outcomes other ends of attempts
 */
public record LeaseDatabase(LeaseStore leases, SuccessStore successes, OutcomeStore outcomes) {

	/** In a database as workers see it. */
	public LeaseDatabase(QueueDatabase worker, KeptJobs kept) {
		this(new LeaseStore(worker), new SuccessStore(worker, kept), new OutcomeStore(worker));
	}

}
