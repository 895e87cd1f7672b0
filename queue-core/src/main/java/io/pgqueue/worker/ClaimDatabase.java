package io.pgqueue.worker;

import io.pgqueue.store.ClaimStore;
import io.pgqueue.store.LaneStore;
import io.pgqueue.store.QueueDatabase;
import io.pgqueue.store.StoreListener;

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
