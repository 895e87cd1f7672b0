package io.pgqueue.engine.claim;

import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.lease.ClaimStore;
import io.pgqueue.engine.lease.LaneStore;
import io.pgqueue.engine.listen.StoreListener;

/**
 * What a worker claims jobs with.
 *
 * @param claims leases jobs
 * @param lanes finds where there are some
 */
public record ClaimDatabase(ClaimStore claims, LaneStore lanes) {

	/** In a database as workers see it. */
	public ClaimDatabase(QueueDatabase worker, StoreListener listener) {
		this(new ClaimStore(worker, listener), new LaneStore(worker));
	}

}
