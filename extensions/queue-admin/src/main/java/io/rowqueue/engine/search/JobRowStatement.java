package io.rowqueue.engine.search;

import java.sql.ResultSet;
import java.sql.SQLException;

import io.rowqueue.admin.JobView;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.job.JobStore;

/** The part of a statement that reads a job for a list, wherever the job is. */
public final class JobRowStatement {

	/** The state of a row {@code j}: {@code stuck} if its worker no longer lives. */
	static final String STATE = """
			case when j.worker_id is not null and j.state::text in ('starting', 'running') and not exists (
				select from {schema}.worker w where w.id = j.worker_id and w.dead_at is null) then 'stuck' else j.state::text end""";

	/**
	 * The row of a job, live, behind its key or finished; its id is to be formatted into
	 * it. A live job costs one probe.
	 */
	public static final String OF_ID = """
			(select id, queue, type, state, priority, attempt, max_attempts, created_at, run_at, leased_at,
				null::timestamptz as finished_at, worker_id, cancel_requested, batch_id, unique_key, limit_key, limit_units, last_error, payload
			from {schema}.job where id = %1$s
			union all
			select id, queue, type, 'scheduled'::{schema}.job_state, priority, 0::smallint, max_attempts, created_at, run_at, null,
				null, null, false, null, unique_key, limit_key, limit_units, null, payload
			from {schema}.job_follow_up where id = %1$s
			union all
			select id, queue, type, state, priority, attempt, max_attempts, created_at, run_at, leased_at, finished_at,
				worker_id, false, null, unique_key, null, null, last_error, payload
			from {schema}.job_finished where id = %1$s
			limit 1)""";

	/** The row of a job that has finished, of a table and a place in it. */
	static final String OF_PLACE = """
			(select id, queue, type, state, priority, attempt, max_attempts, created_at, run_at, leased_at, finished_at,
				worker_id, false as cancel_requested, null::bigint as batch_id, unique_key, null::text as limit_key, last_error, payload
			from %1$s where ctid = %2$s)""";

	/**
	 * What a list shows of a row {@code j}. A job that has failed ended with its latest
	 * failure. To read a payload that is stored outside of the row would cost more than
	 * the row. A payload is whole or left out, because what masks it must see all of it.
	 */
	static final String COLUMNS = """
			j.id, j.queue, j.type, %s as state, j.priority, j.attempt, %s as most_attempts, j.created_at, j.run_at,
				j.leased_at, case when j.state::text = 'failed' then (
					select max(f.failed_at) from {schema}.job_failure f where f.job_id = j.id) else j.finished_at end as finished_at, j.worker_id, j.cancel_requested, j.batch_id, j.unique_key, j.limit_key,
				left(split_part(j.last_error, E'\\n', 1), 300) as error,
				case when pg_column_size(j.payload) <= 1900 and length(j.payload::text) <= 4000 then j.payload::text end as small_payload"""
		.formatted(STATE, JobStore.MAX_ATTEMPTS_OF_ROW.formatted("j"));

	/** The same without what only people read. */
	static final String BARE_COLUMNS = """
			j.id, j.queue, j.type, j.state::text as state, j.priority, j.attempt, null::integer as most_attempts, j.created_at, j.run_at,
				j.leased_at, j.finished_at, j.worker_id, j.cancel_requested, j.batch_id, null as unique_key, null as limit_key,
				null as error, null as small_payload""";

	private JobRowStatement() {
	}

	static JobView job(ResultSet row) throws SQLException {
		return new JobView(row.getLong("id"), row.getString("queue"), row.getString("type"), row.getString("state"),
				row.getInt("priority"), row.getInt("attempt"), Sql.integer(row, "most_attempts"),
				Sql.time(row, "created_at"), Sql.time(row, "run_at"), Sql.instant(row, "leased_at"),
				Sql.instant(row, "finished_at"), row.getObject("worker_id", Long.class),
				row.getBoolean("cancel_requested"), row.getObject("batch_id", Long.class), row.getString("unique_key"),
				row.getString("limit_key"), row.getString("error"), row.getString("small_payload"));
	}

}
