package io.rowqueue.engine.job;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

import io.rowqueue.Job;
import io.rowqueue.JobProgress;
import io.rowqueue.JobState;
import io.rowqueue.admin.JobCount;
import io.rowqueue.engine.database.BoundedReads;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.support.BoundedNames;
import org.jspecify.annotations.Nullable;

/**
 * Reads jobs, their results and their number. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
public final class JobStore {

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
				from {schema}.outbox where id = ?
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

	private static final String MAX_ATTEMPTS = MaxAttempts.OF_ROW.formatted("j");

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

	/**
	 * The number at which counting the jobs of a queue stops that is not shown
	 * separately.
	 */
	private static final int FEW = 100;

	/**
	 * Counts the jobs of each queue in a state: a few of each, and of those that are
	 * shown up to the maximum.
	 */
	private static final String COUNTED = """
			select queue, '%1$s', case when jobs <= %2$s or place > %4$s then jobs
				else (select count(*) from (select from {schema}.job j
					where j.indexed_state = '%1$s' %5$s and j.queue = ranked.queue limit %3$s) counted) end as jobs
			from (
				select queue, jobs, row_number() over (order by queue in (select k.queue from known k) desc, jobs desc, queue) as place
				from (
					select queue, (select count(*) from (select from {schema}.job j
						where j.indexed_state = '%1$s' %5$s and j.queue = %1$s.queue limit %2$s + 1) counted) as jobs
					from %1$s) each) ranked
			""";

	/**
	 * Each count is bounded. If there are more than {@value KnownQueues#MAX_QUEUES}
	 * queues, the others are summed, and few jobs of each are counted.
	 */
	private static final String COUNT = """
			with recursive queued as (
				(select queue from {schema}.job where indexed_state = 'queued' and {unclaimed} order by queue limit 1)
				union all
				select next.* from queued cross join lateral (
					select queue from {schema}.job
					where indexed_state = 'queued' and {unclaimed} and queue > queued.queue order by queue limit 1) next),
			failed as (
				(select queue from {schema}.job where indexed_state = 'failed' order by queue limit 1)
				union all
				select next.* from failed cross join lateral (
					select queue from {schema}.job where indexed_state = 'failed' and queue > failed.queue order by queue limit 1) next),
			blocked as (
				(select queue from {schema}.job where indexed_state = 'blocked' order by queue limit 1)
				union all
				select next.* from blocked cross join lateral (
					select queue from {schema}.job where indexed_state = 'blocked' and queue > blocked.queue order by queue limit 1) next),
			counted (queue, state, jobs) as (
			%2$s
			union all
			%3$s
			union all
			%4$s
			union all
			select queue, 'scheduled', count(*) from (select queue from {schema}.job
				where indexed_state = 'scheduled' order by run_at, id limit %1$s) bounded group by queue
			union all
			select j.queue, case when w.id is null or w.dead_at is not null then 'stuck' else j.state::text end, count(*)
				from {schema}.leased_jobs j left join {schema}.worker w on w.id = j.worker_id group by 1, 2),
			seen as (select queue, null::float8 as age, jobs from counted),
			"""
		.formatted(JobCount.MAX_COUNT, counted("queued", "and {unclaimed}"), counted("failed", ""),
				counted("blocked", ""))
			+ KnownQueues.RANKED
			+ """
					select queue, state, jobs from counted join ranked using (queue) where rank <= %1$s
					union all
					select '%2$s', state, sum(jobs) from counted join ranked using (queue) where rank > %1$s group by state"""
				.formatted(KnownQueues.MAX_QUEUES, BoundedNames.OTHERS);

	private final QueueDatabase application;

	private final QueueDatabase worker;

	/**
	 * Creates the store.
	 * @param application the database as the application sees it
	 * @param worker the database as workers see it
	 */
	public JobStore(QueueDatabase application, QueueDatabase worker) {
		this.application = application;
		this.worker = worker;
	}

	private static String counted(String state, String condition) {
		return COUNTED.formatted(state, FEW, JobCount.MAX_COUNT, KnownQueues.MAX_QUEUES, condition);
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

	/** Counts the active jobs by queue and state. */
	public List<JobCount> count() {
		return BoundedReads.run(this.worker, (database) -> database.query(COUNT,
				(row, index) -> new JobCount(row.getString("queue"), row.getString("state"), row.getLong("jobs"))));
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
