package io.pgqueue.store;

import java.util.Collection;
import java.util.List;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/** Ends leased jobs that were to be cancelled, and finds those that are. */
final class CancelStatement {

	private static final String REQUESTED = """
			select id, lease from {schema}.leased_jobs where worker_id = ? and cancel_requested""";

	private static final String CANCEL = """
			with cancelled as (
				delete from {schema}.job
				where {briefly} and id = any (?) and worker_id = ? and lease = (?::integer[])[array_position(?::bigint[], id)]
				returning id, run_at, created_at, leased_at, worker_id, priority, attempt, max_attempts, queue, type,
					unique_key, last_error, payload, tracked, batch_id),
			finished as (
				insert into {schema}.job_finished (id, run_at, created_at, leased_at, worker_id, priority, attempt,
					max_attempts, queue, type, unique_key, last_error, payload, state, finished_at)
				select id, run_at, created_at, leased_at, worker_id, priority, attempt, max_attempts, queue, type, unique_key,
					last_error, payload, 'cancelled', clock_timestamp() from cancelled)
			select id, case when tracked then {schema}.job_over(id, batch_id, 'cancelled') end as told from cancelled""";

	private final JdbcOperations jdbc;

	private final String requested;

	private final String cancel;

	CancelStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.requested = Sql.in(schema, REQUESTED);
		this.cancel = Sql.in(schema, CANCEL);
	}

	List<Lease> requested(long workerId) {
		return this.jdbc.query(this.requested, (row, index) -> new Lease(row.getLong("id"), row.getInt("lease")),
				workerId);
	}

	/** Returns the ids of the jobs that were ended; any other lease was lost. */
	List<Long> execute(long workerId, Collection<Lease> leases) {
		return this.jdbc.query(this.cancel, (statement) -> Sql.bindLeases(statement, 1, workerId, leases),
				(row, index) -> row.getLong("id"));
	}

}
