package io.rowqueue.engine.recovery;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.rowqueue.JobState;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.database.WhenDue;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.listen.StoreListener;
import io.rowqueue.engine.worker.WorkerStore;

/**
 * Declares workers dead, and takes jobs from holders that do not live. It looks at who
 * holds leases, not at who has just died: a claim that was in flight when its worker was
 * given up is found as well, and so is the lease of an unknown worker. The number of
 * attempts of a job that does not define it is that of its dead holder.
 * <p>
 * The attempt of a job that was not seen to run does not count: nearly always it waited
 * for a slot. If it did run, for less than a heartbeat, it is seen the next time, since a
 * worker shows a job that came back like that before it calls the handler. A job that
 * kills its worker even before that, by a payload too big to be read, for example, has
 * {@value ClaimedJob#MAX_FREE_LEASES} tries more than its attempts.
 * <p>
 * A job that was seen to run may be the reason for the death. It waits before it runs
 * again, longer after each further death, so that processes can be started again
 * meanwhile, and a few deaths end it. A manual retry begins anew. A job to be cancelled
 * is queued, so that the next claim cancels it.
 */
public final class RecoveryStore {

	/**
	 * Two proofs of death: a heartbeat that is overdue by more than the worker's own
	 * lease; or one that is late while the worker's session, which holds an advisory lock
	 * on its id for as long as the process lives, is gone from the server. A server that
	 * has just started proves nothing: all sessions are gone from it. A heartbeat ahead
	 * of the clock was written before that went back; it counts as one of now. A row that
	 * is locked is left for the next time: the other dead workers must not wait for it.
	 */
	private static final String DECLARE_DEAD = """
			with ahead as (
				update {schema}.worker set heartbeat_at = clock_timestamp()
				where id = any (array(
					select a.id from {schema}.worker a
					where a.dead_at is null and a.heartbeat_at > clock_timestamp()
					order by a.id for no key update skip locked)))
			update {schema}.worker w
			set dead_at = clock_timestamp()
			where w.id = any (array(
				select d.id from {schema}.worker d
				where d.dead_at is null
					and (d.heartbeat_at + d.idle_interval < clock_timestamp() - d.lease
						or (d.heartbeat_at + d.idle_interval < clock_timestamp() - ? * interval '1 microsecond' and d.session_locked
							and pg_postmaster_start_time() < clock_timestamp() - ? * interval '1 microsecond'
							and not exists (
								select from pg_locks l
								where l.locktype = 'advisory' and l.granted
									and l.database = (select oid from pg_database where datname = current_database())
									and l.classid = (? & 4294967295)::oid and l.objid = (d.id & 4294967295)::oid)))
				order by d.id for no key update of d skip locked))
			returning w.id, w.name, extract(epoch from clock_timestamp() - w.heartbeat_at) as silence""";

	private static final String FORGET = """
			delete from {schema}.worker w
			where w.dead_at < clock_timestamp() - interval '1 day'
				and not exists (select from {schema}.leased_jobs j where j.worker_id = w.id)""";

	private static final String DEAD = """
			with recursive holder as (
				(select worker_id from {schema}.claim order by worker_id limit 1)
				union all
				select next.* from holder cross join lateral (
					select worker_id from {schema}.claim
					where worker_id > holder.worker_id order by worker_id limit 1) next),
			dead as (
				select holder.worker_id, coalesce(w.name, 'unknown') as name, w.max_attempts
				from holder left join {schema}.worker w on w.id = holder.worker_id
				where w.id is null or w.dead_at is not null)""";

	/** Picks jobs of the worker {@code dead}, those that no transaction has locked. */
	private static final String HELD = """
			where {briefly} and worker_id = dead.worker_id and id = any (array(
				select claimed.id from {schema}.claim c cross join lateral unnest(c.job_ids) as claimed (id)
				where c.worker_id = dead.worker_id and claimed.id %s))
			order by id limit ? for update skip locked""";

	private static final String RECOVER = DEAD
			+ """
					, lost as materialized (
						select held.*, 'worker ' || dead.worker_id || ' (' || dead.name || ') died' as error,
							not unseen and not cancel_requested and (attempt >= attempt_limit or deaths >= death_limit) as ended
						from dead cross join lateral (
							select id, leased_at, worker_id, attempt, cancel_requested,
								job.state = 'starting' and job.lease - job.attempt < %s as unseen,
								coalesce(job.max_attempts, (dead.max_attempts ->> type)::integer, ?) as attempt_limit,
								?::integer as death_limit, 1 + coalesce(job.deaths, 0) as deaths,
								(job.lease > job.attempt)::integer as free_leases
							from {schema}.job job %s) held
						limit ?),
					orphan as materialized (
						select id, leased_at, worker_id, attempt, deaths, unseen, ended,
							error || case when ended and attempt < attempt_limit
								then '; ' || deaths || ' processes have died while they ran the job (rowqueue.worker.max-deaths)' else '' end as error,
							case when not unseen and not ended and not cancel_requested
								then clock_timestamp() + nullif(?::bigint, 0) * (0.8 + 0.2 * random())
									* least(power(?::float8, least(deaths + free_leases - 1, 40)), ?) * interval '1 microsecond' end as due
						from lost),
					over as (
						delete from {schema}.claim c using dead
						where c.worker_id = dead.worker_id and {over}),
					failure as (
						insert into {schema}.job_failure (job_id, failed_at, leased_at, worker_id, attempt, error)
						select id, clock_timestamp(), leased_at, worker_id, attempt, error from orphan where not unseen),
					begun as (
						delete from {schema}.job_expiry
						where job_id = any (array(select id from orphan where not unseen)))
					update {schema}.job j
					set state = (case when orphan.ended then 'failed' when orphan.due is not null then 'scheduled' else 'queued' end)::{schema}.job_state,
						run_at = coalesce(orphan.due, j.run_at),
						order_at = case when orphan.due is null then j.order_at else {schema}.deadline(orphan.due, j.tolerance) end,
						attempt = j.attempt - orphan.unseen::integer, worker_id = null,
						deaths = case when orphan.unseen then j.deaths else orphan.deaths end,
						last_error = case when orphan.unseen then j.last_error else orphan.error end
					from orphan
					where j.id = orphan.id and j.id = any (array(select id from orphan))
					returning j.id, j.type, j.queue, j.state::text as state, orphan.worker_id, orphan.error,
						case when j.tracked and j.state::text = 'failed' then {schema}.end_job(j.id, j.batch_id, 'failed') end as dependents""";

	private static final String ALL = RECOVER.formatted(ClaimedJob.MAX_FREE_LEASES, HELD.formatted("<> all (?)"));

	private static final String ONE = RECOVER.formatted(ClaimedJob.MAX_FREE_LEASES, HELD.formatted("= any (?)"));

	private static final String FIND = DEAD + """
			select held.id from dead cross join lateral (
				select id from {schema}.job %s) held
			limit ?""".formatted(HELD.formatted("<> all (?)"));

	private final QueueDatabase database;

	private final StoreListener listener;

	/**
	 * Creates the store.
	 * @param database runs each statement in a transaction of its own
	 * @param listener notified of recovered jobs
	 */
	public RecoveryStore(QueueDatabase database, StoreListener listener) {
		this.database = database;
		this.listener = listener;
	}

	/**
	 * Declares workers dead whose heartbeats are too old, each by its own lease.
	 * @param grace how old a heartbeat must be if the worker's session is gone
	 * @param settled how long the server must have run for that
	 */
	public List<DeadWorker> declareDead(Duration grace, Duration settled) {
		return this.database.query(DECLARE_DEAD,
				(row, index) -> new DeadWorker(row.getLong("id"), row.getString("name"),
						Duration.ofMillis(Math.round(row.getDouble("silence") * 1000))),
				Sql.micros(grace), Sql.micros(settled), WorkerStore.lockSpace(this.database.schema()));
	}

	/**
	 * Takes jobs from workers that do not live, at most {@code limit}, to run them again
	 * at once if they have attempts left.
	 */
	public List<RecoveredJob> recover(int maxAttempts, int limit) {
		return recover(RecoveryRules.attempts(maxAttempts), limit, List.of());
	}

	/**
	 * Takes jobs from workers that do not live, at most {@code limit}: all of them or, if
	 * the database refuses that of one of them, none.
	 * @param exceptions the ids of jobs that it leaves alone
	 */
	public List<RecoveredJob> recover(RecoveryRules rules, int limit, Collection<Long> exceptions) {
		return recover(ALL, rules, limit, exceptions);
	}

	/**
	 * Takes one job from a worker that does not live; nothing if no such worker holds it,
	 * or another transaction has locked it.
	 */
	Optional<RecoveredJob> recoverOne(RecoveryRules rules, long id) {
		return recover(ONE, rules, 1, List.of(id)).stream().findFirst();
	}

	private List<RecoveredJob> recover(String statement, RecoveryRules rules, int limit, Collection<Long> ids) {
		List<RecoveredJob> jobs = this.database.query(statement, (prepared) -> {
			prepared.setInt(1, rules.maxAttempts());
			prepared.setInt(2, rules.maxDeaths());
			prepared.setArray(3, Sql.array(prepared, "bigint", ids, (id) -> id));
			prepared.setInt(4, limit);
			prepared.setInt(5, limit);
			prepared.setLong(6, Sql.micros(rules.pause()));
			prepared.setDouble(7, rules.multiplier());
			prepared.setDouble(8, rules.maxFactor());
		}, (row, index) -> new RecoveredJob(row.getLong("id"), row.getString("type"), row.getString("queue"),
				JobState.of(row.getString("state")), row.getLong("worker_id"), row.getString("error")));
		jobs.forEach((job) -> this.listener.recovered(job.queue(), job.type()));
		return jobs;
	}

	/**
	 * Finds jobs of workers that do not live, at most {@code limit}.
	 * @param exceptions the ids of jobs that it leaves out
	 */
	List<Long> jobsOfDeadWorkers(int limit, Collection<Long> exceptions) {
		return this.database.query(FIND, (prepared) -> {
			prepared.setArray(1, Sql.array(prepared, "bigint", exceptions, (id) -> id));
			prepared.setInt(2, limit);
			prepared.setInt(3, limit);
		}, (row, index) -> row.getLong("id"));
	}

	/**
	 * When a worker may be found dead: its heartbeat is late then.
	 * @param grace how old it is by then
	 */
	public static WhenDue heartbeatLate(Duration grace) {
		return new WhenDue(
				"(select min(heartbeat_at + greatest(idle_interval, (select longest from cluster where idle)))"
						+ " from {schema}.worker where dead_at is null) + " + Sql.micros(grace)
						+ " * interval '1 microsecond'");
	}

	/** Removes the rows of workers that died a day ago. */
	public int forget() {
		return this.database.update(FORGET);
	}

	/**
	 * A worker that was declared dead.
	 *
	 * @param id its id
	 * @param name what it said of itself
	 * @param silence how long it had not been heard of
	 */
	public record DeadWorker(long id, String name, Duration silence) {

	}

	/**
	 * A job that was taken from a dead worker.
	 *
	 * @param id the job
	 * @param type its type
	 * @param queue its queue
	 * @param state queued again, scheduled after a pause, or failed because the attempt
	 * was its last, or its process was the last that it may bring down
	 * @param workerId the worker that held it
	 * @param error that its worker died
	 */
	public record RecoveredJob(long id, String type, String queue, JobState state, long workerId, String error) {

	}

}
