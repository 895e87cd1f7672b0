package io.pgqueue.engine.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.pgqueue.FailedAttempt;
import io.pgqueue.JobState;
import io.pgqueue.admin.JobCount;
import io.pgqueue.admin.UnhandledJobs;
import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.database.Sql;
import io.pgqueue.engine.lease.JobLogStore;
import io.pgqueue.engine.wakeup.Arrivals;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;

/**
 * Administrative changes of jobs, in the scope that the store was created with. All
 * methods throw {@link org.springframework.dao.DataAccessException} if the database
 * rejects a statement or is not available. They wait for the lock of a job that another
 * transaction holds, because the caller needs to know whether the change was made.
 */
public final class AdminStore {

	private static final String CANCEL = "select {schema}.cancel_job(?)";

	private static final String ERASE = "select {schema}.erase_job(?)";

	private static final String RETRY = "select queue, state from {schema}.retry_job(?)";

	private static final String RETRY_FROM_STEP = "select queue, state, known from {schema}.retry_from_step(?, ?)";

	private static final String ASK_TO_STOP = """
			with asked as (
				update {schema}.job set cancel_requested = true where id = ? and worker_id is not null returning worker_id)
			update {schema}.worker w set cancel_requests = w.cancel_requests + 1 from asked where w.id = asked.worker_id""";

	/**
	 * The row of a leased job is not locked until the caller's transaction ends: the end
	 * of the job would wait for it.
	 */
	private static final String ASK_TO_STOP_AFTER_COMMIT = """
			insert into {schema}.cancel_request (job_id)
			select id from {schema}.job where id = ? and worker_id is not null""";

	/**
	 * In the order of their index, so that each of them is read once. The type is
	 * compared with a case expression: for an equation, the planner expects few rows and
	 * would sort all of them.
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

	/** A time in place of the delay, if there is one. */
	private static final String DUE = """
			coalesce(?::timestamptz, statement_timestamp() + ?::float8 * interval '1 microsecond')""";

	private static final String RESCHEDULE = """
			update {schema}.job
			set run_at = t.due, order_at = {schema}.deadline(t.due, tolerance),
				state = (case when t.due > statement_timestamp() or limit_key is not null then 'scheduled' else 'queued' end)
					::{schema}.job_state, awaits_key = null
			from (select %s as due) t
			where id = ? and (state::text in ('scheduled', 'queued') or awaits_key)
			returning queue, limit_key is not null as limited"""
		.formatted(DUE);

	private static final String RESCHEDULE_FOLLOW_UP = """
			update {schema}.job_follow_up set run_at = %s where id = ?
			returning queue, false as limited""".formatted(DUE);

	private static final String PRIORITY = """
			update {schema}.job set priority = ? where id = ? and state::text in ('scheduled', 'queued', 'blocked')
			returning queue""";

	private static final String PRIORITY_OF_FOLLOW_UP = """
			update {schema}.job_follow_up set priority = ? where id = ? returning queue""";

	/**
	 * One index probe for each queue and type with waiting jobs, and a bounded count of
	 * the jobs that no worker can run.
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
		.formatted(JobCount.MAX_COUNT);

	private static final String FAILURES = """
			select failed_at, leased_at, worker_id, attempt, error from {schema}.job_failure
			where job_id = ? order by failed_at""";

	private static final RowMapper<String> QUEUE = (row, index) -> row.getString("queue");

	private static final RowMapper<Arrivals> ARRIVAL = (row, index) -> Arrivals.of(row.getString("queue"),
			row.getBoolean("limited"));

	private static final RowMapper<RetriedJob> RETRIED = (row, index) -> new RetriedJob(row.getString("queue"),
			JobState.of(row.getString("state")));

	private static final RowMapper<StepRetry> STEP_RETRY = (row, index) -> new StepRetry(row.getBoolean("known"),
			(row.getString("state") != null) ? RETRIED.mapRow(row, index) : null);

	private final QueueDatabase database;

	private final ChangeScope changes;

	/**
	 * Creates a store whose changes have transactions of their own.
	 * @param database runs each statement in a separate transaction
	 */
	public AdminStore(QueueDatabase database) {
		this(database, ChangeScope.separate(database));
	}

	/**
	 * Creates the store.
	 * @param database runs each statement in a separate transaction
	 * @param changes where changes are made
	 */
	public AdminStore(QueueDatabase database, ChangeScope changes) {
		this.database = database;
		this.changes = changes;
	}

	/** Returns the pauses of queues and types, which are changed in the same scope. */
	PauseStore pauses() {
		return new PauseStore(this.database, this.changes);
	}

	/** Returns the unique keys of jobs, which are changed in the same scope. */
	KeyStore keys() {
		return new KeyStore(this.changes);
	}

	/** Returns what administrators want of workers. */
	WorkerWishStore workers() {
		return new WorkerWishStore(this.database);
	}

	/** Returns the logs of jobs. */
	JobLogStore logs() {
		return new JobLogStore(this.database);
	}

	/** Runs work when the changes are committed. */
	void afterCommit(Runnable work) {
		this.changes.afterCommit(work);
	}

	/** Cancels a job without a lease; returns false if it has a lease or has finished. */
	public boolean cancel(long id) {
		return this.changes.change(
				(database) -> database.query(CANCEL, (row, index) -> row.getBoolean(1), id).contains(true),
				Boolean::booleanValue);
	}

	/** Erases a job without a lease; returns false if it has a lease or is not kept. */
	boolean erase(long id) {
		return this.changes.change(
				(database) -> database.query(ERASE, (row, index) -> row.getBoolean(1), id).contains(true),
				Boolean::booleanValue);
	}

	/** Asks the worker of a leased job to stop it; returns false if there is no lease. */
	public boolean askToStop(long id) {
		String statement = this.changes.isJoined() ? ASK_TO_STOP_AFTER_COMMIT : ASK_TO_STOP;
		return this.changes.run((database) -> database.update(statement, id) == 1);
	}

	/**
	 * Queues a failed job again, with the full number of attempts; returns its queue if
	 * it had failed. A job that failed because of a predecessor waits for that one again.
	 * A job whose unique key another job has taken or kept in the meantime stays failed.
	 */
	public Optional<RetriedJob> retry(long id) {
		return this.changes.change((database) -> database.first(RETRY, RETRIED, id), Optional::isPresent);
	}

	/**
	 * Retries a failed job as {@link #retry} does, so that it repeats a recorded step and
	 * all later ones.
	 */
	StepRetry retryFromStep(long id, String step) {
		return this.changes.change((database) -> database.first(RETRY_FROM_STEP, STEP_RETRY, id, step).orElseThrow(),
				(retry) -> retry.job() != null);
	}

	/** Returns the time of the database. */
	public Instant now() {
		return this.database.now();
	}

	/**
	 * Returns failed jobs, ordered by queue and the time at which their latest attempt
	 * was claimed.
	 * @param queue the queue, or {@code null} for all queues
	 * @param type the type, or {@code null} for all types
	 * @param until the time before which they were claimed, so that a job that is retried
	 * and fails again is not found again
	 * @param after the last job of the previous call, or {@link FailedJob#NONE}
	 * @param limit the maximum number of jobs
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
	 * Changes the due time of a waiting job; returns its arrivals, if it was waiting.
	 * @param delay the time from now
	 */
	public Optional<Arrivals> reschedule(long id, Duration delay) {
		return reschedule(id, null, Sql.micros(delay));
	}

	/**
	 * Changes the due time of a waiting job; returns its arrivals, if it was waiting.
	 * @param runAt the time
	 */
	public Optional<Arrivals> reschedule(long id, Instant runAt) {
		return reschedule(id, Sql.text(runAt), 0);
	}

	private Optional<Arrivals> reschedule(long id, @Nullable String runAt, long micros) {
		Optional<Arrivals> job = this.changes
			.change((database) -> database.first(RESCHEDULE, ARRIVAL, runAt, micros, id), Optional::isPresent);
		return job.isPresent() ? job : this.changes.change(
				(database) -> database.first(RESCHEDULE_FOLLOW_UP, ARRIVAL, runAt, micros, id), Optional::isPresent);
	}

	/** Changes the priority of a waiting job; returns its queue, if it was waiting. */
	public List<String> prioritize(long id, int priority) {
		List<String> queue = prioritize(PRIORITY, id, priority);
		return queue.isEmpty() ? prioritize(PRIORITY_OF_FOLLOW_UP, id, priority) : queue;
	}

	private List<String> prioritize(String statement, long id, int priority) {
		return this.changes.change((database) -> database.query(statement, QUEUE, priority, id),
				(queue) -> !queue.isEmpty());
	}

	/** Returns the due jobs that no live worker can run, by queue and type. */
	public List<UnhandledJobs> unhandled() {
		return this.database.query(UNHANDLED, (row, index) -> new UnhandledJobs(row.getString("queue"),
				row.getString("type"), row.getLong("jobs"), Sql.time(row, "since")));
	}

	/** Returns the failed attempts of a job, in order. */
	public List<FailedAttempt> failures(long id) {
		return this.database.query(FAILURES,
				(row, index) -> new FailedAttempt(row.getInt("attempt"), Sql.instant(row, "leased_at"),
						Sql.time(row, "failed_at"), row.getObject("worker_id", Long.class), row.getString("error")),
				id);
	}

	/**
	 * A failed job that was retried.
	 *
	 * @param queue the queue of the job
	 * @param state its state: queued, scheduled if the limit of its key has to admit it
	 * first, or blocked if it waits for others
	 */
	public record RetriedJob(String queue, JobState state) {

	}

	/**
	 * The result of a retry from a step.
	 *
	 * @param known whether the job has failed and has recorded the step
	 * @param job the job; {@code null}: it was not retried
	 */
	record StepRetry(boolean known, @Nullable RetriedJob job) {

	}

	/**
	 * A failed job and its position in the index of failed jobs.
	 *
	 * @param queue its queue
	 * @param leasedAt when its latest attempt was claimed, as text
	 * @param id its id
	 */
	public record FailedJob(String queue, String leasedAt, long id) {

		/** The position before all jobs. */
		public static final FailedJob NONE = new FailedJob("", "-infinity", 0);

	}

}
