package io.rowqueue.engine.job;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.lease.ClaimStore;
import io.rowqueue.engine.lease.ClaimedJob;
import org.jspecify.annotations.Nullable;

/**
 * Inserts a plain job that a worker of this process holds from the beginning. The
 * function {@code enqueue_leased} decides whether it does.
 */
final class LeasedInsertStatement {

	private static final String INSERT = """
			select (e.added).id, e.claim_id, case when e.claim_id is not null then
			""" + ClaimStore.RECORD + """
			end as job
			from {schema}.enqueue_leased(?, ?::text, ?::text, ?::smallint, ?::smallint, ?::json, ?::json) e
			cross join lateral (select (e.added).*) j""";

	/** As if it had not been leased: nobody else has seen the lease. */
	private static final String QUEUE = """
			with ended as (delete from {schema}.claim where worker_id = ? and id = ?)
			update {schema}.job set state = 'queued', attempt = 0, lease = 0, worker_id = null, leased_at = null
			where id = ? and worker_id = ? and lease = ?""";

	private final QueueDatabase database;

	LeasedInsertStatement(QueueDatabase database) {
		this.database = database;
	}

	/**
	 * Inserts the job.
	 */
	StoredJob execute(NewJob job, long workerId) {
		return this.database
			.query(INSERT, (statement) -> NewJobColumn.bindAtOnce(statement, job, workerId),
					(row, index) -> new StoredJob(row.getLong("id"),
							leased(row.getBytes("job"), row.getLong("claim_id"))))
			.get(0);
	}

	/** Queues a job that the current transaction has inserted. */
	void queue(ClaimedJob job, long workerId) {
		this.database.update(QUEUE, workerId, job.claimId(), job.lease().jobId(), workerId, job.lease().token());
	}

	private static @Nullable ClaimedJob leased(byte @Nullable [] job, long claimId) {
		return (job != null) ? ClaimStore.claimed(job, claimId) : null;
	}

}
