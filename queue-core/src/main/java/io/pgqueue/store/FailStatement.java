package io.pgqueue.store;

import java.util.Collection;
import java.util.List;

import io.pgqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Ends attempts that failed: the job waits for its retry, or is failed and kept until
 * somebody retries it. The failure itself is recorded beside it. One that would be tried
 * again although it is to be cancelled is queued at once, for the next claim to find
 * that.
 */
final class FailStatement {

	private static final String FAIL = """
			with attempt as materialized (
				select id, leased_at, worker_id, attempt,
					(?::text[])[array_position(?::bigint[], id)] as error,
					(?::bigint[])[array_position(?::bigint[], id)]::float8 * interval '1 microsecond'
						* (not cancel_requested)::integer as pause
				from {schema}.job
				where {briefly} and id = any (?) and worker_id = ? and lease = (?::integer[])[array_position(?::bigint[], id)]
				order by id for update),
			failure as (
				insert into {schema}.job_failure (job_id, failed_at, leased_at, worker_id, attempt, error)
				select id, statement_timestamp(), leased_at, worker_id, attempt, error from attempt)
			update {schema}.job j
			set state = (case when attempt.pause is null then 'failed' when attempt.pause <= interval '0' then 'queued'
					else 'scheduled' end)::{schema}.job_state,
				run_at = case when attempt.pause is null then j.run_at else statement_timestamp() + attempt.pause end,
				order_at = case when attempt.pause is null then j.order_at
					else statement_timestamp() + attempt.pause + coalesce(j.tolerance, interval '0') end,
				worker_id = null, last_error = attempt.error
			from attempt
			where j.id = attempt.id and j.id = any (?)
			returning j.id, case when j.tracked and attempt.pause is null
				then {schema}.job_over(j.id, j.batch_id, 'failed') end as told""";

	private static final String OVER = """
			select count(*) from {schema}.job where id = ? and lease = ? and state = 'failed' and worker_id is null""";

	private final JdbcOperations jdbc;

	private final String fail;

	private final String over;

	FailStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.fail = Sql.in(schema, FAIL);
		this.over = Sql.in(schema, OVER);
	}

	/** Returns the ids of the jobs that were written; any other lease was lost. */
	List<Long> execute(long workerId, Collection<Failure> failures) {
		List<Lease> leases = failures.stream().map(Failure::lease).toList();
		return this.jdbc.query(this.fail, (statement) -> {
			statement.setArray(1, Sql.array(statement, "text", failures, Failure::error));
			statement.setArray(2, Sql.ids(statement, leases));
			statement.setArray(3, Sql.array(statement, "bigint", failures, FailStatement::pause));
			statement.setArray(4, Sql.ids(statement, leases));
			Sql.bindLeases(statement, 5, workerId, leases);
			statement.setArray(9, Sql.ids(statement, leases));
		}, (row, index) -> row.getLong("id"));
	}

	/** Whether the job has failed for good in the attempt of that lease. */
	boolean isOver(Lease lease) {
		return this.jdbc.query(this.over, (row, index) -> row.getInt(1), lease.jobId(), lease.token()).contains(1);
	}

	private static @Nullable Object pause(Failure failure) {
		return (failure.retryAfter() != null) ? Sql.micros(failure.retryAfter()) : null;
	}

}
