package io.rowqueue.engine.control;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.rowqueue.JobState;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.wakeup.Arrivals;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;

/**
 * Failed jobs and their failed attempts. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
public final class FailedJobStore {

	private static final String RETRY = "select id, queue, state from {schema}.retry_jobs(?)";

	private static final String RETRY_FROM_STEP = """
			select t.id, r.queue, r.state, r.known
			from (select ?::bigint as id, ?::text as step) t cross join lateral {schema}.retry_from_step(t.id, t.step) r""";

	/**
	 * In the order of their index, so that each of them is read once. The type is
	 * compared with a case expression: for an equation, the planner expects few rows and
	 * would sort all of them.
	 */
	private static final String FAILED = """
			select id, queue, failed_leased_at::text as leased_at from {schema}.job
			where indexed_state = 'failed' and %s
				and failed_leased_at < ?::timestamptz and case when ?::text is null then true else type = ? end
			order by queue, failed_leased_at, id limit ?""";

	private static final String FAILED_OF_ANY_QUEUE = FAILED
		.formatted("(queue, failed_leased_at, id) > (?, ?::timestamptz, ?)");

	private static final String FAILED_OF_QUEUE = FAILED
		.formatted("queue = ? and (failed_leased_at, id) > (?::timestamptz, ?)");

	private static final RowMapper<RetriedJob> RETRIED = (row, index) -> new RetriedJob(row.getLong("id"),
			row.getString("queue"), JobState.of(row.getString("state")));

	private static final RowMapper<StepRetry> STEP_RETRY = (row, index) -> new StepRetry(row.getBoolean("known"),
			(row.getString("state") != null) ? RETRIED.mapRow(row, index) : null);

	private final QueueDatabase database;

	private final ChangeScope changes;

	/**
	 * Creates the store.
	 * @param database runs each statement in a separate transaction
	 * @param changes where changes are made
	 */
	public FailedJobStore(QueueDatabase database, ChangeScope changes) {
		this.database = database;
		this.changes = changes;
	}

	/**
	 * Queues a failed job again, with the full number of attempts; returns its queue if
	 * it had failed. A job that failed because of a predecessor waits for that one again.
	 * A job whose unique key another job has taken or kept in the meantime stays failed,
	 * and so does one whose recurring job has another one that has not ended.
	 */
	public Optional<RetriedJob> retry(long id) {
		return retry(List.of(id)).stream().findFirst();
	}

	/**
	 * Queues failed jobs again, as {@link #retry(long)} does. Of several jobs, those are
	 * left out that another transaction has locked, or that it cannot decide about
	 * together with the others, and those are returned as failed whose recurring job has
	 * another one that has not ended.
	 */
	public List<RetriedJob> retry(List<Long> ids) {
		return this.changes.change((database) -> database.query(RETRY, RETRIED, (Object) ids.toArray(Long[]::new)),
				(retried) -> retried.stream().anyMatch(RetriedJob::isRetried));
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
		return this.database.query((queue != null) ? FAILED_OF_QUEUE : FAILED_OF_ANY_QUEUE, job,
				(queue != null) ? queue : after.queue(), after.leasedAt(), after.id(), Sql.text(until), type, type,
				limit);
	}

	/**
	 * A failed job that was retried.
	 *
	 * @param id the id of the job
	 * @param queue the queue of the job; {@code null}: it was not retried
	 * @param state its state: queued, scheduled if the limit of its key has to admit it
	 * first, blocked if it waits for others, or failed if it was not retried
	 */
	public record RetriedJob(long id, @Nullable String queue, JobState state) {

		/** Returns whether the job was retried. */
		public boolean isRetried() {
			return this.state != JobState.FAILED;
		}

		/** Returns whether the job was retried and waits for no others. */
		boolean runsAgain() {
			return isRetried() && this.state != JobState.BLOCKED;
		}

		/** Returns what workers are notified of when jobs were retried. */
		public static Arrivals arrivals(List<RetriedJob> jobs) {
			Arrivals.Builder arrivals = new Arrivals.Builder();
			jobs.stream()
				.filter(RetriedJob::runsAgain)
				.forEach((job) -> arrivals.add(Objects.requireNonNull(job.queue()), job.state() == JobState.SCHEDULED));
			return arrivals.build();
		}

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
