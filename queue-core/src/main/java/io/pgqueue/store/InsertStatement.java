package io.pgqueue.store;

import java.util.ArrayList;
import java.util.List;

import io.pgqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Inserts new jobs, one or many. A single one is by far the most frequent case and has a
 * statement without arrays, which is planned once and for all. {@code on conflict} stands
 * only where there are keys: it costs every row a second record in the log. It waits for
 * an enqueue that is still in flight, so that a rollback there never loses the job here.
 */
final class InsertStatement {

	private static final String INTO_JOB = """
			insert into {schema}.job (id, queue, type, priority, max_attempts, unique_key, run_at, tolerance, payload,
				order_at, state)
			select id, queue, type, priority, max_attempts, unique_key, run_at, tolerance, payload,
				run_at + coalesce(tolerance, interval '0'),
				(case when run_at <= statement_timestamp() then 'queued' else 'scheduled' end)::{schema}.job_state
			""";

	private static final String UNLESS_TAKEN = """
			on conflict (unique_key) where unique_key is not null and state <> 'failed' do nothing
			""";

	private static final String ONE = INTO_JOB
			+ """
					from (select nextval('{schema}.job_id_seq') as id, ?::text as queue, ?::text as type, ?::smallint as priority,
						?::smallint as max_attempts, ?::text as unique_key,
						coalesce(?::timestamptz, statement_timestamp() + ?::bigint * interval '1 microsecond') as run_at,
						?::bigint * interval '1 microsecond' as tolerance, ?::json as payload) as input
					%sreturning id, true as stored""";

	/** Keys are taken in one order, so that two bulk enqueues cannot deadlock. */
	private static final String MANY = """
			with input as materialized (
				select nextval('{schema}.job_id_seq') as id, coalesce(u.queue, ?::text) as queue,
					coalesce(u.type, ?::text) as type, coalesce(u.priority, ?::smallint) as priority,
					coalesce(u.max_attempts, ?::smallint) as max_attempts, coalesce(u.unique_key, ?::text) as unique_key,
					coalesce(u.run_at, ?::timestamptz,
						statement_timestamp() + coalesce(u.delay, ?::bigint) * interval '1 microsecond') as run_at,
					coalesce(u.tolerance, ?::bigint) * interval '1 microsecond' as tolerance,
					coalesce(u.payload, ?::text)::json as payload, u.ord
				from unnest(?::text[], ?::text[], ?::smallint[], ?::smallint[], ?::text[], ?::timestamptz[], ?::bigint[],
					?::bigint[], ?::text[]) with ordinality
					as u(queue, type, priority, max_attempts, unique_key, run_at, delay, tolerance, payload, ord)),
			stored as (
			"""
			+ INTO_JOB + """
					from input order by unique_key nulls first, ord
					%sreturning id)
					select input.id, stored.id is not null as stored
					from input left join stored on stored.id = input.id order by input.ord""";

	private final JdbcOperations jdbc;

	private final SchemaName schema;

	InsertStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.schema = schema;
	}

	/** Returns the ids in the order of the jobs, {@code null} where the key is taken. */
	List<@Nullable Long> execute(List<NewJob> jobs) {
		boolean keys = jobs.stream().anyMatch((job) -> job.request().uniqueKey() != null);
		List<@Nullable Long> ids = new ArrayList<>(jobs.size());
		this.jdbc.query(Sql.in(this.schema, (jobs.size() > 1 ? MANY : ONE).formatted(keys ? UNLESS_TAKEN : "")),
				(statement) -> {
					if (jobs.size() > 1) {
						NewJobColumn.bind(statement, jobs);
					}
					else {
						NewJobColumn.bind(statement, jobs.get(0));
					}
				}, (row) -> {
					ids.add(row.getBoolean("stored") ? row.getLong("id") : null);
				});
		if (ids.isEmpty()) {
			ids.add(null); // the only one was not stored
		}
		return ids;
	}

}
