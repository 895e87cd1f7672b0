package io.pgqueue.engine.admin;

import java.util.List;

import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.database.WhenDue;

/** Requests to cancel jobs that a worker held when a transaction cancelled them. */
final class CancelRequestStore {

	/** When the first request was committed. */
	static final WhenDue DUE = new WhenDue("(select requested_at from {schema}.cancel_request order by id limit 1)");

	private static final String NEXT = "select id, job_id from {schema}.cancel_request order by id limit ?";

	private static final String DELETE = "delete from {schema}.cancel_request where id = ?";

	private final QueueDatabase database;

	CancelRequestStore(QueueDatabase database) {
		this.database = database;
	}

	List<CancelRequest> next(int limit) {
		return this.database.query(NEXT, (row, index) -> new CancelRequest(row.getLong("id"), row.getLong("job_id")),
				limit);
	}

	void delete(CancelRequest request) {
		this.database.update(DELETE, request.id());
	}

	/** A request, and the job to cancel. */
	record CancelRequest(long id, long jobId) {

	}

}
