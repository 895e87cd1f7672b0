package io.rowqueue.engine.lease;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.limit.LimitKind;
import org.jspecify.annotations.Nullable;

/**
 * Ends of attempts that did not succeed: the job is retried, snoozed, released, cancelled
 * or failed. Every method names the worker and the leases, is one statement, and returns
 * the ids of the changed jobs; all other leases were lost. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects the
 * statement or is not available.
 */
public final class OutcomeStore {

	/**
	 * A job to be cancelled is queued at once, also after its last attempt, so that the
	 * next claim cancels it. Any other one with a limit key is admitted again, and takes
	 * another token.
	 */
	private static final String FAIL = """
			with attempt as materialized (
				select id, leased_at, worker_id, attempt,
					(?::text[])[array_position(?::bigint[], id)] as error,
					(?::bigint[])[array_position(?::bigint[], id)] as error_group,
					case when cancel_requested then interval '0'
						else (?::bigint[])[array_position(?::bigint[], id)]::float8 * interval '1 microsecond' end as pause
				from {schema}.job
				where {briefly} and {held}
				order by id for update),
			failure as (
				insert into {schema}.job_failure (job_id, failed_at, leased_at, worker_id, attempt, error, error_group)
				select id, statement_timestamp(), leased_at, worker_id, attempt, error, error_group from attempt)
			update {schema}.job j
			set state = (case when attempt.pause is null then 'failed' when attempt.pause > interval '0' then 'scheduled'
					when j.cancel_requested then 'queued'
					else {schema}.initial_state(statement_timestamp(), j.limit_key)::text end)::{schema}.job_state,
				run_at = case when attempt.pause is null then j.run_at else statement_timestamp() + attempt.pause end,
				order_at = case when attempt.pause is null then j.order_at
					else {schema}.deadline(statement_timestamp() + attempt.pause, j.tolerance) end,
				worker_id = null, last_error = attempt.error
			from attempt
			where j.id = attempt.id and j.id = any (?)
			returning j.id, attempt.pause is null as permanently, case when j.tracked and attempt.pause is null
				then {schema}.end_job(j.id, j.batch_id, 'failed') end as dependents""";

	private static final String HAS_FAILED = """
			select count(*) from {schema}.job where id = ? and lease = ? and state = 'failed' and worker_id is null""";

	/** The attempt is not counted. A job to be cancelled is queued at once. */
	private static final String POSTPONE = """
			with attempt as materialized (
				select id, case when cancel_requested then clock_timestamp() else greatest(clock_timestamp(), coalesce(
					(?::timestamptz[])[array_position(?::bigint[], id)],
					clock_timestamp() + (?::bigint[])[array_position(?::bigint[], id)]::float8 * interval '1 microsecond')) end as due
				from {schema}.job
				where {briefly} and {held}
				order by id for update)
			update {schema}.job j
			set state = (%s)::{schema}.job_state,
				run_at = attempt.due, order_at = {schema}.deadline(attempt.due, j.tolerance),
				attempt = j.attempt - 1, worker_id = null
			from attempt
			where j.id = attempt.id and j.id = any (?)
			returning j.id""";

	/** One with a limit key is admitted again. */
	private static final String SNOOZE = POSTPONE.formatted(
			"""
					case when j.cancel_requested then 'queued' else {schema}.initial_state(attempt.due, j.limit_key)::text end""");

	private static final String PUT_BACK = POSTPONE.formatted("""
			case when attempt.due <= clock_timestamp() then 'queued' else 'scheduled' end""");

	private static final String HOLD = """
			select {schema}.hold(?, ?, coalesce(?::timestamptz, clock_timestamp() + ?::bigint * interval '1 microsecond'), ?)
			from {schema}.job where id = ? and worker_id = ? and lease = ?""";

	/** The attempt is not counted. */
	private static final String RELEASE = """
			update {schema}.job
			set state = 'queued', attempt = attempt - 1, worker_id = null
			where {briefly} and {held}
			returning id""";

	private static final String CANCEL = """
			with cancelled as (
				delete from {schema}.job
				where {briefly} and {held}
				returning id, run_at, created_at, leased_at, worker_id, priority, attempt, max_attempts, queue, type,
					unique_key, coalesce((?::text[])[array_position(?::bigint[], id)], last_error) as last_error, payload, tracked,
					batch_id),
			kept_key as (
				update {schema}.taken_key t set unsuccessful_id = t.job_id where t.ctid = any (array(
					select k.tid from cancelled c cross join lateral (
						select k.ctid as tid from {schema}.taken_key k where k.unique_key = c.unique_key and k.job_id = c.id
						for no key update skip locked) k))),
			finished as (
			"""
			+ FinishedRows.insert("cancelled", "null", "cancelled")
			+ """
					)
					select id, case when tracked then {schema}.end_job(id, batch_id, 'cancelled') end as dependents from cancelled""";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database the database as workers see it
	 */
	public OutcomeStore(QueueDatabase database) {
		this.database = database;
	}

	/**
	 * Ends failed attempts: the job waits for its retry, or has failed permanently. The
	 * failure is recorded in another table.
	 */
	public List<Long> fail(long workerId, Collection<Failure> failures) {
		return fail(workerId, failures, (id) -> {
		});
	}

	/**
	 * Ends failed attempts.
	 * @param permanently receives the ids of the jobs that have failed permanently: those
	 * that are not to be retried, and not to be cancelled
	 */
	public List<Long> fail(long workerId, Collection<Failure> failures, LongConsumer permanently) {
		List<Failure> all = List.copyOf(failures);
		List<Lease> leases = all.stream().map(Failure::lease).toList();
		return this.database.query(FAIL,
				(statement) -> new Parameters(statement).byId("text", all, Failure::error, leases, Lease::jobId)
					.byId("bigint", all, Failure::group, leases, Lease::jobId)
					.byId("bigint", all, (failure) -> Sql.microsOrNull(failure.retryAfter()), leases, Lease::jobId)
					.held(workerId, leases, Lease::jobId, Lease::token)
					.array("bigint", leases, Lease::jobId),
				(row, index) -> {
					if (row.getBoolean("permanently")) {
						permanently.accept(row.getLong("id"));
					}
					return row.getLong("id");
				});
	}

	/**
	 * Returns whether the attempt of that lease was the last one of its job and has
	 * failed.
	 */
	public boolean hasFailed(Lease lease) {
		return this.database.query(HAS_FAILED, (row, index) -> row.getInt(1), lease.jobId(), lease.token()).contains(1);
	}

	/** Snoozes jobs. */
	public List<Long> snooze(long workerId, Collection<Snooze> snoozes) {
		return postpone(SNOOZE, workerId, snoozes);
	}

	/** Postpones jobs whose attempt does not count as begun. */
	public List<Long> putBack(long workerId, Collection<Snooze> snoozes) {
		return postpone(PUT_BACK, workerId, snoozes);
	}

	private List<Long> postpone(String statement, long workerId, Collection<Snooze> snoozes) {
		List<Snooze> all = List.copyOf(snoozes);
		List<Lease> leases = all.stream().map(Snooze::lease).toList();
		return this.database.query(statement,
				(prepared) -> new Parameters(prepared)
					.byId("timestamptz", all, (snooze) -> Sql.text(snooze.until()), leases, Lease::jobId)
					.byId("bigint", all, (snooze) -> Sql.microsOrNull(snooze.delay()), leases, Lease::jobId)
					.held(workerId, leases, Lease::jobId, Lease::token)
					.array("bigint", leases, Lease::jobId),
				(row, index) -> row.getLong("id"));
	}

	/**
	 * Holds a queue, a type or a limit key until the time to which a handler has snoozed
	 * its job. Without effect if the lease was lost.
	 */
	public void hold(long workerId, Snooze snooze, LimitKind kind, String name, @Nullable String reason) {
		Lease lease = snooze.lease();
		this.database.query(HOLD, (row, index) -> lease, kind.label(), name, Sql.text(snooze.until()),
				Sql.microsOrNull(snooze.delay()), reason, lease.jobId(), workerId, lease.token());
	}

	/** Releases jobs. */
	public List<Long> release(long workerId, Collection<Lease> leases) {
		List<Lease> all = List.copyOf(leases);
		return this.database.query(RELEASE,
				(statement) -> new Parameters(statement).held(workerId, all, Lease::jobId, Lease::token),
				(row, index) -> row.getLong("id"));
	}

	/**
	 * Cancels jobs.
	 * @param reasons what is stored as their error, or {@code null} for the latest one
	 */
	public List<Long> cancel(long workerId, Map<Lease, @Nullable String> reasons) {
		List<Lease> all = List.copyOf(reasons.keySet());
		return this.database.query(CANCEL,
				(statement) -> new Parameters(statement).held(workerId, all, Lease::jobId, Lease::token)
					.byId("text", all, reasons::get, all, Lease::jobId),
				(row, index) -> row.getLong("id"));
	}

}
