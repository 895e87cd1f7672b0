package io.pgqueue.store;

import java.util.ArrayList;
import java.util.List;

import io.pgqueue.schema.SchemaName;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * Inserts new jobs with limit keys. They are scheduled even if they are due: the
 * transaction of whoever enqueues may last, and who of a key's jobs may run is decided
 * when it is committed.
 */
final class LimitedInsertStatement {

	private static final String INSERT = """
			with input as materialized (
				select nextval('{schema}.job_id_seq') as id, queue, type, priority, max_attempts,
					coalesce(run_at, statement_timestamp() + delay::float8 * interval '1 microsecond') as run_at,
					tolerance::float8 * interval '1 microsecond' as tolerance, headers::json as headers, limit_key,
					payload::json as payload, ord
				from unnest(?::text[], ?::text[], ?::smallint[], ?::smallint[], ?::timestamptz[], ?::bigint[], ?::bigint[],
					?::text[], ?::text[], ?::text[]) with ordinality
					as u(queue, type, priority, max_attempts, run_at, delay, tolerance, headers, limit_key, payload, ord)),
			stored as (
				insert into {schema}.job (id, queue, type, priority, max_attempts, run_at, tolerance, headers, limit_key,
					payload, order_at, state)
				select id, queue, type, priority, max_attempts, run_at, tolerance, headers, limit_key, payload,
					run_at + coalesce(tolerance, interval '0'), 'scheduled'
				from input order by ord)
			select id from input order by ord""";

	private final JdbcOperations jdbc;

	private final String insert;

	LimitedInsertStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.insert = Sql.in(schema, INSERT);
	}

	/** Returns the ids in the order of the jobs. */
	List<Long> execute(List<NewJob> jobs) {
		List<Long> ids = new ArrayList<>(jobs.size());
		this.jdbc.query(this.insert, (statement) -> {
			for (int i = 0; i < NewJobColumn.LIMITED.size(); i++) {
				NewJobColumn column = NewJobColumn.LIMITED.get(i);
				statement.setArray(i + 1, Sql.array(statement, column.type(), jobs, column.value()));
			}
		}, (row) -> {
			ids.add(row.getLong("id"));
		});
		return ids;
	}

}
