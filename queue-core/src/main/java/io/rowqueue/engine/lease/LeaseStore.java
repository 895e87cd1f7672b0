package io.rowqueue.engine.lease;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that workers hold: which ones they are, which of them run, and their progress.
 * Ends of attempts are in {@link SuccessStore} and {@link OutcomeStore}. Every method
 * names the worker and the leases, and does not change a job whose lease was lost. Every
 * method is one statement, and throws {@link org.springframework.dao.DataAccessException}
 * if the database rejects it or is not available.
 */
public final class LeaseStore {

	/**
	 * The size of the sent value is checked, since the stored size is inconclusive for
	 * compressed payloads.
	 */
	private static final String PAYLOAD = """
			select bytes, case when bytes <= ? then payload end as payload
			from (
				select payload, octet_length(payload::text) as bytes
				from {schema}.job where id = ? and worker_id = ? and lease = ? offset 0) measured
			where payload is not null""";

	private static final String RUNNING = """
			update {schema}.job set state = 'running'
			where ctid = any (array(
				select ctid from {schema}.job
				where {held}
				for no key update skip locked))
			returning id""";

	private static final String RUNS = """
			update {schema}.job set state = 'running' where id = ? and worker_id = ? and lease = ?""";

	private static final String DIED = """
			select exists (select from {schema}.job where id = ? and worker_id = ? and lease = ? and deaths > 0)""";

	/**
	 * Progress has its own table, since most jobs report none, and each write would copy
	 * the row of the job. A lost lease is detected by the row of the job, or, if it was
	 * lost at the same moment, by its lower token.
	 */
	private static final String PROGRESS = """
			with held as materialized (
				select id, lease, (?::integer[])[array_position(?::bigint[], id)] as revision,
					(?::bigint[])[array_position(?::bigint[], id)] as done,
					(?::bigint[])[array_position(?::bigint[], id)] as total,
					(?::text[])[array_position(?::bigint[], id)] as message
				from {schema}.job
				where {held}
				order by id),
			written as (
				insert into {schema}.job_progress as known (job_id, lease, revision, done, total, message, at)
				select id, lease, revision, done, total, message, clock_timestamp() from held
				on conflict (job_id) do update
				set lease = excluded.lease, revision = excluded.revision, done = excluded.done, total = excluded.total,
					message = excluded.message, at = excluded.at
				where (known.lease, known.revision) < (excluded.lease, excluded.revision))
			select id from held""";

	private static final String LOCKED = """
			with held as (
				select id from {schema}.job
				where {held}),
			free as materialized (
				select id from {schema}.job
				where {held}
				for update skip locked)
			select id from held where not exists (select from free where free.id = held.id)""";

	private static final String CANCEL_REQUESTED = """
			select id, lease from {schema}.leased_jobs where worker_id = ? and cancel_requested""";

	private static final String TAKE_STACK_REQUEST = """
			with asked as (
				select id, stack_of from {schema}.worker where id = ? and stack_of is not null for no key update)
			update {schema}.worker w set stack_of = null from asked where w.id = asked.id
			returning asked.stack_of""";

	/**
	 * A handler that has begun keeps its job from expiring, however its attempt ends. The
	 * header remains: it tells the handler when the job would have expired.
	 */
	private static final String EXPIRE_NO_MORE = """
			delete from {schema}.job_expiry where job_id = any (array(
				select id from {schema}.job
				where {briefly} and {held}))""";

	private static final String MAY_EXPIRE = """
			select exists (select from {schema}.job_expiry where job_id = ?)""";

	private static final String OF_WORKER = """
			with held as materialized (
				select c.id as claim_id, j.*
				from {schema}.claim c cross join lateral unnest(c.job_ids) as claimed (id)
				cross join lateral (
					select id, lease, type, attempt, max_attempts, state::text = 'running' as running
					from {schema}.job where id = claimed.id and worker_id = c.worker_id offset 0) j
				where c.worker_id = ?),
			over as (
				delete from {schema}.claim c
				where c.worker_id = ? and not exists (select from held where held.claim_id = c.id))
			select distinct id, lease, type, attempt, max_attempts, running from held""";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database the database as workers see it
	 */
	public LeaseStore(QueueDatabase database) {
		this.database = database;
	}

	/** Returns the logs of the jobs, which are written while they are leased. */
	public JobLogStore logs() {
		return new JobLogStore(this.database);
	}

	/**
	 * Reads a payload that a claim has deferred; empty if the lease was lost.
	 * @param mostBytes the maximum size of a payload to read
	 */
	public Optional<StoredPayload> payload(long workerId, Lease lease, long mostBytes) {
		return this.database.first(PAYLOAD,
				(row, index) -> new StoredPayload(row.getInt("bytes"), row.getString("payload")), mostBytes,
				lease.jobId(), workerId, lease.token());
	}

	/**
	 * Records that leased jobs are running, and returns the ids of the recorded ones. The
	 * others are locked at the moment, or their lease was lost. This is only called for
	 * jobs that run for some time; most jobs have ended before.
	 */
	public List<Long> running(long workerId, Collection<Lease> leases) {
		List<Lease> held = List.copyOf(leases);
		return this.database.query(RUNNING,
				(statement) -> new Parameters(statement).held(workerId, held, Lease::jobId, Lease::token),
				(row, index) -> row.getLong("id"));
	}

	/**
	 * Records that a leased job is running, and returns whether its lease is still held.
	 */
	public boolean running(long workerId, Lease lease) {
		return this.database.update(RUNS, lease.jobId(), workerId, lease.token()) == 1;
	}

	/** Returns whether a process has died while it ran this leased job. */
	public boolean hasDied(long workerId, Lease lease) {
		return this.database.query(DIED, (row, index) -> row.getBoolean(1), lease.jobId(), workerId, lease.token())
			.contains(true);
	}

	/**
	 * Writes the progress of leased jobs, and returns the ids of those whose lease is
	 * still held.
	 */
	public List<Long> progress(long workerId, List<ProgressReport> reports) {
		List<Lease> leases = reports.stream().map(ProgressReport::lease).toList();
		return this.database.query(PROGRESS,
				(statement) -> new Parameters(statement)
					.byId("integer", reports, ProgressReport::revision, leases, Lease::jobId)
					.byId("bigint", reports, ProgressReport::done, leases, Lease::jobId)
					.byId("bigint", reports, ProgressReport::total, leases, Lease::jobId)
					.byId("text", reports, ProgressReport::message, leases, Lease::jobId)
					.held(workerId, leases, Lease::jobId, Lease::token),
				(row, index) -> row.getLong("id"));
	}

	/**
	 * Returns the ids of leased jobs whose rows are locked by others, without waiting.
	 */
	public List<Long> locked(long workerId, Collection<Lease> leases) {
		List<Lease> held = List.copyOf(leases);
		return this.database.query(LOCKED,
				(statement) -> new Parameters(statement).held(workerId, held, Lease::jobId, Lease::token)
					.held(workerId, held, Lease::jobId, Lease::token),
				(row, index) -> row.getLong("id"));
	}

	/** Records that jobs do not expire any more, because their handlers have begun. */
	public void expireNoMore(long workerId, Collection<Lease> leases) {
		List<Lease> begun = List.copyOf(leases);
		this.database.update(EXPIRE_NO_MORE,
				(statement) -> new Parameters(statement).held(workerId, begun, Lease::jobId, Lease::token));
	}

	/** Returns whether a job that is to expire has not begun in an earlier attempt. */
	public boolean mayExpire(long jobId) {
		return this.database.query(MAY_EXPIRE, (row, index) -> row.getBoolean(1), jobId).contains(true);
	}

	/** Returns the leases of a worker whose jobs must be cancelled. */
	public List<Lease> cancelRequested(long workerId) {
		return this.database.query(CANCEL_REQUESTED, (row, index) -> new Lease(row.getLong("id"), row.getInt("lease")),
				workerId);
	}

	/**
	 * Returns the job of which somebody wants to know what its handler is doing, once.
	 */
	public Optional<Long> takeStackRequest(long workerId) {
		return this.database.first(TAKE_STACK_REQUEST, (row, index) -> row.getLong("stack_of"), workerId);
	}

	/**
	 * Returns the leases that a worker holds, and deletes claims none of whose jobs is
	 * still held.
	 */
	public List<HeldLease> of(long workerId) {
		return this.database.query(OF_WORKER,
				(row, index) -> new HeldLease(new Lease(row.getLong("id"), row.getInt("lease")), row.getString("type"),
						row.getInt("attempt"), Sql.integer(row, "max_attempts"), row.getBoolean("running")),
				workerId, workerId);
	}

	/**
	 * A lease that a worker holds.
	 *
	 * @param type the type of the job
	 * @param attempt the number of the attempt
	 * @param maxAttempts how many attempts the job has; {@code null}: its type decides
	 * @param running whether the database shows that the handler was called
	 */
	public record HeldLease(Lease lease, String type, int attempt, @Nullable Integer maxAttempts, boolean running) {

	}

	/**
	 * A payload that a claim has deferred.
	 *
	 * @param bytes its size in UTF-8
	 * @param json the payload, or {@code null} if it is larger than the given maximum
	 */
	public record StoredPayload(int bytes, @Nullable String json) {

	}

}
