package io.pgqueue.engine.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.pgqueue.FailedAttempt;
import io.pgqueue.JobState;
import io.pgqueue.admin.JobCount;
import io.pgqueue.admin.Pause;
import io.pgqueue.admin.UnhandledJobs;
import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.database.Sql;
import io.pgqueue.engine.explain.ExplainStatement;
import io.pgqueue.engine.explain.JobFacts;
import io.pgqueue.engine.explain.LimitFacts;
import io.pgqueue.engine.explain.LimitFactsStatement;
import io.pgqueue.engine.wakeup.Arrivals;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;

/**
 * What people do to jobs. All methods throw
 * {@link org.springframework.dao.DataAccessException} when the database refuses or is
 * away. A lock that somebody else holds on a job is waited for: one who asks for a change
 * wants to know whether it was made.
 */
public final class AdminStore {

	/** A job that nobody holds leaves at once, and so does a follow-up. */
	private static final String CANCEL = """
			with active as (
				delete from {schema}.job where id = ? and worker_id is null and tracked is null
				returning id, run_at, created_at, leased_at, priority, attempt, max_attempts, queue, type, unique_key,
					last_error, payload),
			follow_up as (
				delete from {schema}.job_follow_up where id = ?
				returning id, run_at, created_at, null::timestamptz as leased_at, priority, 0::smallint as attempt, max_attempts,
					queue, type, unique_key, null as last_error, payload),
			cancelled as (
				select * from active union all select * from follow_up)
			insert into {schema}.job_finished (id, run_at, created_at, leased_at, priority, attempt, max_attempts,
				queue, type, unique_key, last_error, payload, state, finished_at)
			select cancelled.*, 'cancelled', clock_timestamp() from cancelled""";

	private static final String CANCEL_TRACKED = "select {schema}.cancel_tracked(?)";

	private static final String RETRY_TRACKED = "select queue, state from {schema}.retry_tracked(?)";

	private static final String ASK_TO_STOP = """
			with asked as (
				update {schema}.job set cancel_requested = true where id = ? and worker_id is not null returning worker_id)
			update {schema}.worker w set cancel_requests = w.cancel_requests + 1 from asked where w.id = asked.worker_id""";

	/** A failed job whose key another job has taken or kept meanwhile stays failed. */
	private static final String RETRY = """
			update {schema}.job j
			set state = (case when j.limit_key is null then 'queued' else 'scheduled' end)::{schema}.job_state, attempt = 0,
				cancel_requested = false,
				run_at = statement_timestamp(), order_at = statement_timestamp() + coalesce(j.tolerance, interval '0')
			where j.id = ? and j.tracked is null and j.state::text = 'failed' and not exists (
				select from {schema}.job other where other.unique_key = j.unique_key and other.indexed_state <> 'failed')
				and not exists (
					select from {schema}.taken_key t where t.unique_key = j.unique_key and t.taken_until > clock_timestamp())
			returning j.queue, j.state::text""";

	/**
	 * In the order of their index, so that each of them is read once. The type is a case,
	 * since the planner takes an equation for one that few rows meet, and would sort them
	 * all.
	 */
	private static final String FAILED = """
			select id, queue, failed_leased_at::text as leased_at from {schema}.job
			where indexed_state = 'failed' and (queue, failed_leased_at, id) > (?, ?::timestamptz, ?)
				and failed_leased_at < ?::timestamptz and case when ?::text is null then true else type = ? end
			order by queue, failed_leased_at, id limit ?""";

	private static final String FAILED_OF_QUEUE = """
			select id, queue, failed_leased_at::text as leased_at from {schema}.job
			where indexed_state = 'failed' and queue = ? and (failed_leased_at, id) > (?::timestamptz, ?)
				and failed_leased_at < ?::timestamptz and case when ?::text is null then true else type = ? end
			order by queue, failed_leased_at, id limit ?""";

	private static final String RESCHEDULE = """
			update {schema}.job
			set run_at = statement_timestamp() + ? * interval '1 microsecond',
				order_at = statement_timestamp() + ? * interval '1 microsecond' + coalesce(tolerance, interval '0'),
				state = (case when ? > 0 or limit_key is not null then 'scheduled' else 'queued' end)
					::{schema}.job_state, awaits_key = null
			where id = ? and (state::text in ('scheduled', 'queued') or awaits_key)
			returning queue, limit_key is not null as limited""";

	private static final String RESCHEDULE_FOLLOW_UP = """
			update {schema}.job_follow_up set run_at = statement_timestamp() + ? * interval '1 microsecond' where id = ?
			returning queue, false as limited""";

	private static final String PRIORITY = """
			update {schema}.job set priority = ? where id = ? and state::text in ('scheduled', 'queued', 'blocked')
			returning queue""";

	private static final String PRIORITY_OF_FOLLOW_UP = """
			update {schema}.job_follow_up set priority = ? where id = ? returning queue""";

	private static final String PAUSE = """
			insert into {schema}.pause (kind, name, reason) values (?, ?, ?) on conflict do nothing""";

	private static final String RESUME = """
			delete from {schema}.pause where kind = ? and name = ? and source = ''""";

	/** Whether a living worker, or the latest measurement, names a queue or type. */
	private static final String KNOWN = """
			with asked (kind, name) as (values (?, ?))
			select exists (select from {schema}.worker w
					where w.dead_at is null and asked.name = any (case asked.kind when 'queue' then w.queues else w.types end))
				or exists (select from {schema}.measurement m cross join lateral
						jsonb_to_recordset(m.figures) f (name text, queue text, state text)
					where f.name = case asked.kind when 'queue' then 'jobs' else 'unhandled' end
						and case asked.kind when 'queue' then f.queue else f.state end = asked.name)
			from asked""";

	/**
	 * One index probe for each queue and type that waits, and a bounded count of those
	 * that nobody can run.
	 */
	private static final String UNHANDLED = """
			with recursive waiting as (
				(select queue, type from {schema}.job where indexed_state = 'queued' and {unclaimed} order by queue, type limit 1)
				union all
				select next.* from waiting cross join lateral (
					select queue, type from {schema}.job
					where indexed_state = 'queued' and {unclaimed} and (queue, type) > (waiting.queue, waiting.type)
					order by queue, type limit 1) next)
			select unhandled.queue, unhandled.type, found.jobs, found.since
			from (
				select queue, type from waiting where not exists (
					select from {schema}.worker w
					where w.dead_at is null and waiting.type = any (w.types)
						and (waiting.queue = any (w.queues) or '*' = any (w.queues))) offset 0) unhandled
			cross join lateral (
				select count(*) as jobs, min(run_at) as since from (
					select run_at from {schema}.job j
					where j.indexed_state = 'queued' and {unclaimed} and j.queue = unhandled.queue and j.type = unhandled.type
					limit %d) bounded) found
			where found.jobs > 0
			order by unhandled.queue, unhandled.type"""
		.formatted(JobCount.MOST);

	private static final String PAUSES = """
			select kind, name, paused_at, reason from {schema}.pause where source = '' order by kind, name""";

	private static final String FAILURES = """
			select failed_at, leased_at, worker_id, attempt, error from {schema}.job_failure
			where job_id = ? order by failed_at""";

	private static final RowMapper<String> QUEUE = (row, index) -> row.getString("queue");

	private static final RowMapper<Arrivals> ARRIVAL = (row, index) -> Arrivals.of(row.getString("queue"),
			row.getBoolean("limited"));

	private static final RowMapper<RetriedJob> RETRIED = (row, index) -> new RetriedJob(row.getString("queue"),
			JobState.of(row.getString("state")));

	private final QueueDatabase database;

	private final ExplainStatement explain;

	private final LimitFactsStatement limits;

	/**
	 * Creates the store.
	 * @param database runs each statement in a transaction of its own
	 */
	public AdminStore(QueueDatabase database) {
		this.database = database;
		this.explain = new ExplainStatement(database);
		this.limits = new LimitFactsStatement(database);
	}

	/** Reads why a job is where it is. */
	public JobFacts explain(long id) {
		return this.explain.execute(id);
	}

	/** Reads the limits that count a waiting job. */
	public List<LimitFacts> limits(long id) {
		return this.limits.execute(id);
	}

	/** Ends a job that nobody holds; returns false if somebody does or it is over. */
	public boolean cancel(long id) {
		return this.database.update(CANCEL, id, id) == 1
				|| this.database.query(CANCEL_TRACKED, (row, index) -> row.getBoolean(1), id).contains(true);
	}

	/** Has a leased job stopped by its worker; returns false if nobody holds it. */
	public boolean askToStop(long id) {
		return this.database.update(ASK_TO_STOP, id) == 1;
	}

	/**
	 * Queues a failed job, with all its attempts; returns its queue, if it was failed.
	 * One that failed because another did waits for that one again.
	 */
	public Optional<RetriedJob> retry(long id) {
		Optional<RetriedJob> retried = this.database.first(RETRY, RETRIED, id);
		return retried.isPresent() ? retried : this.database.first(RETRY_TRACKED, RETRIED, id);
	}

	/** The time of the database. */
	public Instant now() {
		return this.database.now();
	}

	/**
	 * Failed jobs by queue and the time when their latest attempt was claimed.
	 * @param queue only of this queue, or {@code null} for all
	 * @param type only of this type, or {@code null} for all
	 * @param until only those claimed before: what is retried and fails again is not
	 * found again
	 * @param after the job to begin behind, or {@link FailedJob#NONE}
	 * @param limit the most jobs
	 */
	public List<FailedJob> failed(@Nullable String queue, @Nullable String type, Instant until, FailedJob after,
			int limit) {
		RowMapper<FailedJob> job = (row, index) -> new FailedJob(row.getString("queue"), row.getString("leased_at"),
				row.getLong("id"));
		return this.database.query((queue != null) ? FAILED_OF_QUEUE : FAILED, job,
				(queue != null) ? queue : after.queue(), after.leasedAt(), after.id(), Sql.text(until), type, type,
				limit);
	}

	/**
	 * Moves a waiting job to another time; returns what arrives then, if it was waiting.
	 */
	public Optional<Arrivals> reschedule(long id, Duration delay) {
		long micros = Sql.micros(delay);
		Optional<Arrivals> job = this.database.first(RESCHEDULE, ARRIVAL, micros, micros, micros, id);
		return job.isPresent() ? job : this.database.first(RESCHEDULE_FOLLOW_UP, ARRIVAL, micros, id);
	}

	/** Gives a waiting job another priority; returns its queue, if it was waiting. */
	public List<String> prioritize(long id, int priority) {
		List<String> queue = this.database.query(PRIORITY, QUEUE, priority, id);
		return queue.isEmpty() ? this.database.query(PRIORITY_OF_FOLLOW_UP, QUEUE, priority, id) : queue;
	}

	/** Pauses a queue or type; returns false if it was paused already. */
	public boolean pause(String kind, String name, @Nullable String reason) {
		return this.database.update(PAUSE, kind, name, reason) == 1;
	}

	/**
	 * Whether a living worker names a queue or type, or jobs of it were measured last.
	 */
	public boolean isKnown(String kind, String name) {
		return this.database.query(KNOWN, (row, index) -> row.getBoolean(1), kind, name).contains(true);
	}

	/** Resumes a queue or type; returns false if it was not paused. */
	public boolean resume(String kind, String name) {
		return this.database.update(RESUME, kind, name) == 1;
	}

	/** The due jobs that no living worker can run, by queue and type. */
	public List<UnhandledJobs> unhandled() {
		return this.database.query(UNHANDLED, (row, index) -> new UnhandledJobs(row.getString("queue"),
				row.getString("type"), row.getLong("jobs"), Sql.time(row, "since")));
	}

	/** What is paused. */
	public List<Pause> pauses() {
		return this.database.query(PAUSES, (row, index) -> new Pause(row.getString("kind"), row.getString("name"),
				Sql.time(row, "paused_at"), row.getString("reason")));
	}

	/** The failed attempts of a job, the first one first. */
	public List<FailedAttempt> failures(long id) {
		return this.database.query(FAILURES,
				(row, index) -> new FailedAttempt(row.getInt("attempt"), Sql.instant(row, "leased_at"),
						Sql.time(row, "failed_at"), row.getObject("worker_id", Long.class), row.getString("error")),
				id);
	}

	/**
	 * A failed job that was brought back.
	 *
	 * @param queue its queue
	 * @param state where it is now: queued, scheduled if the limit of its key has to
	 * admit it first, or blocked because it waits for others
	 */
	public record RetriedJob(String queue, JobState state) {

	}

	/**
	 * A failed job and its place in the index of those.
	 *
	 * @param queue its queue
	 * @param leasedAt when its latest attempt was claimed, as text
	 * @param id its id
	 */
	public record FailedJob(String queue, String leasedAt, long id) {

		/** Stands before all jobs. */
		public static final FailedJob NONE = new FailedJob("", "-infinity", 0);

	}

}
