package io.rowqueue.engine.job;

import java.util.ArrayList;
import java.util.List;

import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.PreparedStatementSetter;

/**
 * Inserts new jobs without unique keys, and returns their ids in the order of the jobs.
 * The most frequent case, a single job, has a statement without arrays, whose plan is
 * cached.
 */
final class InsertStatement {

	/** The maximum number of tracked jobs that one statement stores. */
	private static final int MAX_PER_STATEMENT = 1000;

	private static final String COLUMNS = "id, queue, type, priority, max_attempts, run_at, tolerance, headers";

	private static final String INTO_JOB = """
			insert into {schema}.job (%1$s, payload, order_at, state)
			select %1$s, payload, {order_at},
				(case when run_at <= statement_timestamp() then 'queued' else 'scheduled' end)::{schema}.job_state
			""".formatted(COLUMNS);

	/** Of each column the value of the job, or the one that all jobs share. */
	private static final String OWN_OR_SHARED = """
			select nextval('{schema}.job_id_seq') as id, coalesce(u.queue, ?::text) as queue,
				coalesce(u.type, ?::text) as type, coalesce(u.priority, ?::smallint) as priority,
				coalesce(u.max_attempts, ?::smallint) as max_attempts,
				coalesce(u.run_at, ?::timestamptz,
					statement_timestamp() + coalesce(u.delay, ?::bigint)::float8 * interval '1 microsecond') as run_at,
				coalesce(u.tolerance, ?::bigint)::float8 * interval '1 microsecond' as tolerance,
				coalesce(u.headers, ?::text)::json as headers, coalesce(u.payload, ?::text)::json as payload""";

	private static final String ONE = INTO_JOB
			+ """
					from (select nextval('{schema}.job_id_seq') as id, ?::text as queue, ?::text as type, ?::smallint as priority,
						?::smallint as max_attempts,
						coalesce(?::timestamptz, statement_timestamp() + ?::float8 * interval '1 microsecond') as run_at,
						?::float8 * interval '1 microsecond' as tolerance, ?::json as headers, ?::json as payload) as input
					returning id""";

	/** For a job that is due at once, as most are, without any calculation. */
	private static final String ONE_AT_ONCE = """
			insert into {schema}.job (queue, type, priority, max_attempts, headers, payload, run_at, order_at, state)
			values (?, ?, ?::smallint, ?::smallint, ?::json, ?::json, statement_timestamp(), statement_timestamp(), 'queued')
			returning id""";

	/** The ids are assigned and returned in the order of the jobs. */
	private static final String INSERT = INTO_JOB + "from (" + OWN_OR_SHARED + """

					from unnest(?::text[], ?::text[], ?::smallint[], ?::smallint[], ?::timestamptz[], ?::bigint[],
						?::bigint[], ?::text[], ?::text[]) with ordinality
						as u(queue, type, priority, max_attempts, run_at, delay, tolerance, headers, payload, ord)
					order by u.ord) as input
			returning id""";

	/**
	 * For jobs that are due at once and differ only in their payloads. The elements of an
	 * array are read in order, and no other node of the plan changes it, so that no sort
	 * is needed for ids in the order of the jobs. A row for each id costs the server less
	 * than one array of all ids.
	 */
	private static final String INSERT_ALIKE = """
			insert into {schema}.job (queue, type, priority, max_attempts, headers, payload, run_at, order_at, state)
			select ?, ?, ?::smallint, ?::smallint, ?::json, payload::json, statement_timestamp(), statement_timestamp(), 'queued'
			from unnest(?::text[]) as u(payload)
			returning id""";

	/**
	 * For jobs with limit keys, and for those whose end affects others: jobs with
	 * dependencies, jobs of a flow, and jobs of a batch. A blocked job waits until it is
	 * released. Those with limit keys are scheduled even if they are due, since the
	 * transaction may last for a long time, and admission must see the committed jobs of
	 * a key.
	 */
	private static final String INSERT_ANY = """
			with input as materialized (
			""" + OWN_OR_SHARED
			+ """
					, u.blocked, u.limit_key, u.limit_units, u.ord
						from unnest(?::text[], ?::text[], ?::smallint[], ?::smallint[], ?::timestamptz[], ?::bigint[], ?::bigint[],
							?::text[], ?::text[], ?::boolean[], ?::text[], ?::smallint[]) with ordinality
							as u(queue, type, priority, max_attempts, run_at, delay, tolerance, headers, payload, blocked, limit_key,
								limit_units, ord)),
					stored as (
						insert into {schema}.job (%1$s, payload, limit_key, limit_units, order_at, state, tracked, batch_id)
						select %1$s, payload, limit_key, limit_units, {order_at},
							(case when blocked then 'blocked' when run_at <= statement_timestamp() and limit_key is null then 'queued'
								else 'scheduled' end)::{schema}.job_state, case when blocked or ?::boolean then true end, ?
						from input order by ord)
					select id from input order by ord"""
				.formatted(COLUMNS);

	private final QueueDatabase database;

	private final LabelStatement labels;

	InsertStatement(QueueDatabase database) {
		this.database = database;
		this.labels = new LabelStatement(database);
	}

	/** Inserts plain jobs. */
	List<Long> plain(List<NewJob> jobs) {
		return (jobs.size() > 1) ? many(jobs) : List.of(one(jobs.get(0)));
	}

	/** Inserts jobs without limit keys whose end does not affect others. */
	List<Long> labelled(List<NewJob> jobs) {
		return this.labels.execute(jobs, plain(jobs));
	}

	private long one(NewJob job) {
		boolean atOnce = NewJobColumn.isDueAtOnce(job);
		List<Long> ids = this.database.query(atOnce ? ONE_AT_ONCE : ONE,
				(statement) -> NewJobColumn.bind(statement, job, atOnce), (row, index) -> row.getLong(1));
		return ids.get(0);
	}

	private List<Long> many(List<NewJob> jobs) {
		return NewJobColumn.areAlikeAndDueAtOnce(jobs)
				? ids(INSERT_ALIKE, (statement) -> NewJobColumn.bindAlike(statement, jobs))
				: ids(INSERT, (statement) -> NewJobColumn.bind(statement, jobs));
	}

	private List<Long> ids(String sql, PreparedStatementSetter jobs) {
		return this.database.query(sql, jobs, (row, index) -> row.getLong(1));
	}

	/** Inserts jobs with limit keys and jobs that run after others, which are blocked. */
	List<Long> limitedOrDependent(List<NewJob> jobs) {
		return any(jobs, jobs.stream().map(NewJob::hasPredecessors).toList(), false, null);
	}

	/**
	 * Inserts jobs whose end affects others.
	 * @param blocked whether each of them is blocked
	 * @param batchId the batch that they are counted in, or {@code null}
	 */
	List<Long> tracked(List<NewJob> jobs, List<Boolean> blocked, @Nullable Long batchId) {
		return any(jobs, blocked, true, batchId);
	}

	private List<Long> any(List<NewJob> jobs, List<Boolean> blocked, boolean tracked, @Nullable Long batchId) {
		List<Long> ids = new ArrayList<>(jobs.size());
		for (int from = 0; from < jobs.size(); from += MAX_PER_STATEMENT) {
			int to = Math.min(from + MAX_PER_STATEMENT, jobs.size());
			List<NewJob> some = jobs.subList(from, to);
			List<Boolean> areBlocked = blocked.subList(from, to);
			ids.addAll(ids(INSERT_ANY, (statement) -> {
				int next = NewJobColumn.bind(statement, some);
				new Parameters(statement, next).array("boolean", areBlocked, (each) -> each)
					.array("text", some, (job) -> job.request().limitKey())
					.array("smallint", some, NewJobColumn::limitUnits)
					.flag(tracked)
					.numberOrNull(batchId);
			}));
		}
		return this.labels.execute(jobs, ids);
	}

}
