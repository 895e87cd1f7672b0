package io.pgqueue.store;

import java.sql.Types;
import java.util.ArrayList;
import java.util.List;

import io.pgqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Inserts jobs whose end is told to others: those that run after others or in a flow, and
 * those of a batch. One that is blocked waits for somebody to release it.
 */
final class TrackedInsertStatement {

	/** How many jobs one statement stores. */
	private static final int MOST = 1000;

	private static final String INSERT = """
			with input as materialized (
				select nextval('{schema}.job_id_seq') as id, coalesce(u.queue, ?::text) as queue,
					coalesce(u.type, ?::text) as type, coalesce(u.priority, ?::smallint) as priority,
					coalesce(u.max_attempts, ?::smallint) as max_attempts,
					coalesce(u.run_at, ?::timestamptz,
						statement_timestamp() + coalesce(u.delay, ?::bigint)::float8 * interval '1 microsecond') as run_at,
					coalesce(u.tolerance, ?::bigint)::float8 * interval '1 microsecond' as tolerance,
					coalesce(u.headers, ?::text)::json as headers, coalesce(u.payload, ?::text)::json as payload, u.blocked,
					u.limit_key, u.ord
				from unnest(?::text[], ?::text[], ?::smallint[], ?::smallint[], ?::timestamptz[], ?::bigint[], ?::bigint[],
					?::text[], ?::text[], ?::boolean[], ?::text[]) with ordinality
					as u(queue, type, priority, max_attempts, run_at, delay, tolerance, headers, payload, blocked, limit_key, ord)),
			stored as (
				insert into {schema}.job (id, queue, type, priority, max_attempts, run_at, tolerance, headers, payload, limit_key,
					order_at, state, tracked, batch_id)
				select id, queue, type, priority, max_attempts, run_at, tolerance, headers, payload, limit_key,
					run_at + coalesce(tolerance, interval '0'),
					(case when blocked then 'blocked' when run_at <= statement_timestamp() and limit_key is null then 'queued'
						else 'scheduled' end)::{schema}.job_state, true, ?
				from input order by ord)
			select id from input order by ord""";

	/** The parameters after the columns of the jobs. */
	private static final int BLOCKED = 19;

	private final JdbcOperations jdbc;

	private final String insert;

	TrackedInsertStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.insert = Sql.in(schema, INSERT);
	}

	/**
	 * Returns the ids in the order of the jobs.
	 * @param blocked whether each of them is
	 * @param batchId the batch that they are counted in, or {@code null}
	 */
	List<Long> execute(List<NewJob> jobs, List<Boolean> blocked, @Nullable Long batchId) {
		List<Long> ids = new ArrayList<>(jobs.size());
		for (int from = 0; from < jobs.size(); from += MOST) {
			int to = Math.min(from + MOST, jobs.size());
			List<NewJob> some = jobs.subList(from, to);
			List<Boolean> areBlocked = blocked.subList(from, to);
			this.jdbc.query(this.insert, (statement) -> {
				NewJobColumn.bind(statement, some);
				statement.setArray(BLOCKED, Sql.array(statement, "boolean", areBlocked, (each) -> each));
				statement.setArray(BLOCKED + 1, Sql.array(statement, "text", some, (job) -> job.request().limitKey()));
				statement.setObject(BLOCKED + 2, batchId, Types.BIGINT);
			}, (row) -> {
				ids.add(row.getLong("id"));
			});
		}
		return ids;
	}

}
