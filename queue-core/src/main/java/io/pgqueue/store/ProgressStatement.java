package io.pgqueue.store;

import java.util.List;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Writes down how far jobs are. In a table of its own: most jobs have no progress and are
 * not to pay for it, and the rows of jobs would be copied each time.
 * <p>
 * A lease that was lost is refused by the job's row, or, if it was lost a moment ago, by
 * the smaller number of the lease.
 */
final class ProgressStatement {

	private static final String PROGRESS = """
			with held as materialized (
				select id, lease, (?::integer[])[array_position(?::bigint[], id)] as revision,
					(?::bigint[])[array_position(?::bigint[], id)] as done,
					(?::bigint[])[array_position(?::bigint[], id)] as total,
					(?::text[])[array_position(?::bigint[], id)] as message
				from {schema}.job
				where id = any (?) and worker_id = ? and lease = (?::integer[])[array_position(?::bigint[], id)]
				order by id),
			written as (
				insert into {schema}.job_progress as known (job_id, lease, revision, done, total, message, at)
				select id, lease, revision, done, total, message, clock_timestamp() from held
				on conflict (job_id) do update
				set lease = excluded.lease, revision = excluded.revision, done = excluded.done, total = excluded.total,
					message = excluded.message, at = excluded.at
				where (known.lease, known.revision) < (excluded.lease, excluded.revision))
			select id from held""";

	private final JdbcOperations jdbc;

	private final String progress;

	ProgressStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.progress = Sql.in(schema, PROGRESS);
	}

	/** Returns the ids of the jobs whose lease is held; any other was lost. */
	List<Long> execute(long workerId, List<ProgressReport> reports) {
		List<Lease> leases = reports.stream().map(ProgressReport::lease).toList();
		return this.jdbc.query(this.progress, (statement) -> {
			statement.setArray(1, Sql.array(statement, "integer", reports, ProgressReport::revision));
			statement.setArray(3, Sql.array(statement, "bigint", reports, ProgressReport::done));
			statement.setArray(5, Sql.array(statement, "bigint", reports, ProgressReport::total));
			statement.setArray(7, Sql.array(statement, "text", reports, ProgressReport::message));
			for (int ids : new int[] { 2, 4, 6, 8 }) {
				statement.setArray(ids, Sql.ids(statement, leases));
			}
			Sql.bindLeases(statement, 9, workerId, leases);
		}, (row, index) -> row.getLong("id"));
	}

}
