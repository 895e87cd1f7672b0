package io.rowqueue.engine.job;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

import io.rowqueue.Job;
import io.rowqueue.JobProgress;
import io.rowqueue.JobState;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.database.Sql;
import org.jspecify.annotations.Nullable;

/**
 * Reads jobs, their results and their number. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
public final class JobStore {

	/**
	 * An expression for the maximum number of attempts of a row with {@code max_attempts}
	 * and {@code type}, whose alias must be formatted into it: that of its request, or
	 * else that of the options of its handler, which workers register by type. The
	 * options of live workers may differ during a deployment; the largest number applies.
	 * Null if no live worker runs the type.
	 */
	public static final String MAX_ATTEMPTS_OF_ROW = """
			coalesce(%1$s.max_attempts, (
				select max((w.max_attempts ->> %1$s.type)::integer) from {schema}.worker w where w.dead_at is null))""";

	/** The job is active, finished, a follow-up, or waits to be published to a broker. */
	private static final String FIND = """
			select j.id, j.type, j.queue, j.state, j.priority, j.attempt, %s as max_attempts, j.run_at, j.created_at, j.leased_at,
				j.finished_at, j.unique_key, j.last_error, %s as payload, %s as result, p.done, p.total, p.message, p.at
			from (
				select id, type, queue, state::text as state, priority, attempt, max_attempts, run_at, created_at, leased_at,
					null::timestamptz as finished_at, unique_key, last_error, payload, null::json as result
				from {schema}.job where id = ?
				union all
				select id, type, queue, 'scheduled', priority, 0, max_attempts, run_at, created_at, null, null, unique_key,
					null, payload, null
				from {schema}.job_follow_up where id = ?
				union all
				select id, type, queue, 'queued', 0, 0, max_attempts, created_at, created_at, null, null, null, null, payload, null
				from {schema}.unpublished_job where id = ?
				union all
				select id, type, queue, state::text, priority, attempt, max_attempts, run_at, created_at, leased_at,
					finished_at, unique_key, last_error, payload, result
				from {schema}.job_finished where id = ?
				limit 1) j
			left join {schema}.job_progress p on p.job_id = j.id""";

	/** The server truncates longer values, which may not fit into memory. */
	private static final String CUT = """
			case when length(j.%1$s::text) <= ? then j.%1$s::text
				else left(j.%1$s::text, ?) || '... (' || length(j.%1$s::text) || ' characters)' end""";

	private static final String MAX_ATTEMPTS = MAX_ATTEMPTS_OF_ROW.formatted("j");

	private static final String FIND_WHOLE = FIND.formatted(MAX_ATTEMPTS, "j.payload", "j.result");

	private static final String FIND_CUT = FIND.formatted(MAX_ATTEMPTS, CUT.formatted("payload"),
			CUT.formatted("result"));

	private static final String RESULT_OF_FLOW_JOB = """
			select r.result
			from {schema}.flow_job me join {schema}.flow_job other on other.flow_id = me.flow_id and other.name = ?
				left join {schema}.job_result r on r.job_id = other.job_id
			where me.job_id = ?""";

	private static final String FLOW_OF_JOB = "select flow_id from {schema}.flow_job where job_id = ?";

	private static final String RESULT_OF_JOB = """
			select result from {schema}.job_result where job_id = ?
			union all
			select result from {schema}.job_finished where id = ? and result is not null
			limit 1""";

	private final QueueDatabase application;

	private final QueueDatabase worker;

	/**
	 * Creates the store.
	 * @param databases the database
	 */
	public JobStore(QueueDatabases databases) {
		this.application = databases.application();
		this.worker = databases.worker();
	}

	/** Finds a job, active or finished. */
	public Optional<Job> find(long id) {
		return find(this.application, id);
	}

	/** Finds a job that is committed, regardless of the caller's transaction. */
	public Optional<Job> findCommitted(long id) {
		return find(this.worker, id);
	}

	private static Optional<Job> find(QueueDatabase database, long id) {
		return database.first(FIND_WHOLE, (row, index) -> job(row), id, id, id, id);
	}

	/**
	 * Reads a committed job. Its payload and result are truncated to a number of
	 * characters, and then state how many they have.
	 */
	public Optional<Job> findCommitted(long id, int longest) {
		return this.worker.first(FIND_CUT, (row, index) -> job(row), longest, longest, longest, longest, id, id, id,
				id);
	}

	/** Returns the result of another job of the flow that a job belongs to. */
	public FlowJobResult resultOfFlowJob(long jobId, String name) {
		return this.worker
			.first(RESULT_OF_FLOW_JOB, (row, index) -> new FlowJobResult(true, row.getString("result")), name, jobId)
			.orElse(new FlowJobResult(false, null));
	}

	/** Returns the flow that a job belongs to. */
	public OptionalLong flowOf(long jobId) {
		return this.worker.query(FLOW_OF_JOB, (row, index) -> row.getLong("flow_id"), jobId)
			.stream()
			.mapToLong(Long::longValue)
			.findFirst();
	}

	/**
	 * Returns the result of a job as JSON, if it is kept for its successors or in the
	 * history.
	 */
	public Optional<String> resultOf(long jobId) {
		return this.worker.first(RESULT_OF_JOB, (row, index) -> Objects.requireNonNull(row.getString("result")), jobId,
				jobId);
	}

	private static Job job(ResultSet row) throws SQLException {
		return new Job(row.getLong("id"), row.getString("type"), row.getString("queue"),
				JobState.of(row.getString("state")), row.getInt("priority"), row.getInt("attempt"),
				Sql.integer(row, "max_attempts"), Sql.time(row, "run_at"), Sql.time(row, "created_at"),
				Sql.instant(row, "leased_at"), Sql.instant(row, "finished_at"), row.getString("unique_key"),
				row.getString("last_error"), row.getString("payload"), row.getString("result"), progress(row));
	}

	private static @Nullable JobProgress progress(ResultSet row) throws SQLException {
		Instant at = Sql.instant(row, "at");
		return (at != null) ? new JobProgress(row.getLong("done"), row.getLong("total"), row.getString("message"), at)
				: null;
	}

	/**
	 * The result of a job of a flow.
	 *
	 * @param known whether the flow has such a job
	 * @param json the result as JSON; {@code null} if there is none or the job has not
	 * succeeded
	 */
	public record FlowJobResult(boolean known, @Nullable String json) {

	}

}
