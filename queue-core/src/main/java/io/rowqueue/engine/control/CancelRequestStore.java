package io.rowqueue.engine.control;

import java.util.List;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.WhenDue;

/** Requests to cancel jobs that a worker held when a transaction cancelled them. */
final class CancelRequestStore {

	/** When the first request was committed. */
	static final WhenDue DUE = new WhenDue("(select requested_at from {schema}.cancel_request order by id limit 1)");

	/** Those whose jobs other transactions have locked are left for the next time. */
	private static final String NEXT = """
			select r.id, r.job_id from {schema}.cancel_request r
			left join {schema}.job j on j.id = r.job_id
			left join lateral (
				select true as found from {schema}.job l where l.id = r.job_id for no key update skip locked) free on true
			where r.id > ? and (j.id is null or free.found)
			order by r.id limit ?""";

	private static final String CARRY_OUT = "select {schema}.cancel_as_requested(?, ?)";

	private final QueueDatabase database;

	CancelRequestStore(QueueDatabase database) {
		this.database = database;
	}

	/** Returns requests with higher ids, in order. */
	List<CancelRequest> next(long after, int limit) {
		return this.database.query(NEXT, (row, index) -> new CancelRequest(row.getLong("id"), row.getLong("job_id")),
				after, limit);
	}

	/** Cancels the job, or asks its worker to stop it, unless the request is gone. */
	void carryOut(CancelRequest request) {
		this.database.query(CARRY_OUT, (row, index) -> row.getString(1), request.id(), request.jobId());
	}

	/** A request, and the job to cancel. */
	record CancelRequest(long id, long jobId) {

	}

}
