package io.pgqueue.store;

import java.util.List;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.PreparedStatementSetter;

/**
 * Inserts new jobs without unique keys, one or many. A single one is by far the most
 * frequent case and has a statement without arrays, which is planned once and for all.
 */
final class InsertStatement {

	private static final String INTO_JOB = """
			insert into {schema}.job (id, queue, type, priority, max_attempts, run_at, tolerance, headers, payload, order_at,
				state)
			select id, queue, type, priority, max_attempts, run_at, tolerance, headers, payload,
				run_at + coalesce(tolerance, interval '0'),
				(case when run_at <= statement_timestamp() then 'queued' else 'scheduled' end)::{schema}.job_state
			""";

	private static final String ONE = INTO_JOB
			+ """
					from (select nextval('{schema}.job_id_seq') as id, ?::text as queue, ?::text as type, ?::smallint as priority,
						?::smallint as max_attempts,
						coalesce(?::timestamptz, statement_timestamp() + ?::float8 * interval '1 microsecond') as run_at,
						?::float8 * interval '1 microsecond' as tolerance, ?::json as headers, ?::json as payload) as input
					returning id""";

	/** Of a job that is due at once, as most are: with nothing to calculate. */
	private static final String ONE_AT_ONCE = """
			insert into {schema}.job (queue, type, priority, max_attempts, headers, payload, run_at, order_at, state)
			values (?, ?, ?::smallint, ?::smallint, ?::json, ?::json, statement_timestamp(), statement_timestamp(), 'queued')
			returning id""";

	/** The ids are taken, and come back, in the order of the jobs, as one value. */
	private static final String MANY = """
			with stored as (
			""" + INTO_JOB
			+ """
							from (select nextval('{schema}.job_id_seq') as id, coalesce(u.queue, ?::text) as queue,
								coalesce(u.type, ?::text) as type, coalesce(u.priority, ?::smallint) as priority,
								coalesce(u.max_attempts, ?::smallint) as max_attempts,
								coalesce(u.run_at, ?::timestamptz,
									statement_timestamp() + coalesce(u.delay, ?::bigint)::float8 * interval '1 microsecond') as run_at,
								coalesce(u.tolerance, ?::bigint)::float8 * interval '1 microsecond' as tolerance,
								coalesce(u.headers, ?::text)::json as headers, coalesce(u.payload, ?::text)::json as payload
							from unnest(?::text[], ?::text[], ?::smallint[], ?::smallint[], ?::timestamptz[], ?::bigint[],
								?::bigint[], ?::text[], ?::text[]) with ordinality
								as u(queue, type, priority, max_attempts, run_at, delay, tolerance, headers, payload, ord)
							order by u.ord) as input
						returning id)
					select array_agg(id order by id) as id from stored""";

	/**
	 * Of jobs that are due at once and differ in nothing but their payloads. An array's
	 * elements are read out in their order, and nothing comes between: no sort is needed
	 * for ids in the order of the jobs.
	 */
	private static final String MANY_ALIKE = """
			with stored as (
				insert into {schema}.job (id, queue, type, priority, max_attempts, headers, payload, run_at, order_at, state)
				select nextval('{schema}.job_id_seq'), ?, ?, ?::smallint, ?::smallint, ?::json, payload::json,
					statement_timestamp(), statement_timestamp(), 'queued'
				from unnest(?::text[]) as u(payload)
				returning id)
			select array_agg(id order by id) as id from stored""";

	private final JdbcOperations jdbc;

	private final String one;

	private final String oneAtOnce;

	private final String many;

	private final String manyAlike;

	InsertStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.one = Sql.in(schema, ONE);
		this.oneAtOnce = Sql.in(schema, ONE_AT_ONCE);
		this.many = Sql.in(schema, MANY);
		this.manyAlike = Sql.in(schema, MANY_ALIKE);
	}

	/** Returns the ids in the order of the jobs. */
	List<Long> execute(List<NewJob> jobs) {
		return (jobs.size() > 1) ? many(jobs) : List.of(one(jobs.get(0)));
	}

	private long one(NewJob job) {
		boolean atOnce = NewJobColumn.isDueAtOnce(job);
		List<Long> ids = this.jdbc.query(atOnce ? this.oneAtOnce : this.one,
				(statement) -> NewJobColumn.bind(statement, job, atOnce), (row, index) -> row.getLong(1));
		return ids.get(0);
	}

	private List<Long> many(List<NewJob> jobs) {
		return NewJobColumn.areAlikeAndDueAtOnce(jobs)
				? ids(this.manyAlike, (statement) -> NewJobColumn.bindAlike(statement, jobs))
				: ids(this.many, (statement) -> NewJobColumn.bind(statement, jobs));
	}

	private List<Long> ids(String sql, PreparedStatementSetter jobs) {
		List<List<Long>> ids = this.jdbc.query(sql, jobs, (row, index) -> List.of((Long[]) row.getArray(1).getArray()));
		return ids.get(0);
	}

}
