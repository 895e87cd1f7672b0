package io.rowqueue.engine.worker;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.rowqueue.JobState;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.lease.ClaimedJob;
import io.rowqueue.engine.worker.WorkerStore.RecoveredJob;

/**
 * Takes jobs from holders that do not live. It looks at who holds leases, not at who has
 * just died: a claim that was in flight when its worker was given up is found as well,
 * and so is the lease of an unknown worker. The number of attempts of a job that does not
 * define it is that of its dead holder.
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
final class RecoverStatement {

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

	RecoverStatement(QueueDatabase database) {
		this.database = database;
	}

	/** Recovers jobs up to a maximum, and none of the exceptions. */
	List<RecoveredJob> execute(RecoveryRules rules, int limit, Collection<Long> exceptions) {
		return recover(ALL, rules, limit, exceptions);
	}

	/** Recovers one job, if a dead worker holds it and no transaction has locked it. */
	Optional<RecoveredJob> execute(RecoveryRules rules, long id) {
		return recover(ONE, rules, 1, List.of(id)).stream().findFirst();
	}

	private List<RecoveredJob> recover(String statement, RecoveryRules rules, int limit, Collection<Long> ids) {
		return this.database.query(statement, (prepared) -> {
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
	}

	/** The ids of jobs that can be recovered, up to a maximum, without the exceptions. */
	List<Long> find(int limit, Collection<Long> exceptions) {
		return this.database.query(FIND, (prepared) -> {
			prepared.setArray(1, Sql.array(prepared, "bigint", exceptions, (id) -> id));
			prepared.setInt(2, limit);
			prepared.setInt(3, limit);
		}, (row, index) -> row.getLong("id"));
	}

}
