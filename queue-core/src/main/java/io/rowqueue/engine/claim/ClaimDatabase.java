package io.rowqueue.engine.claim;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.lease.ClaimStore;
import io.rowqueue.engine.lease.LaneStore;
import io.rowqueue.engine.listen.StoreListener;

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
