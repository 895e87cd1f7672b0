package io.pgqueue.engine.worker;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.pgqueue.JobState;
import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.database.Sql;

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
 * {@value #UNSEEN} tries more than its attempts.
 */
final class RecoverStatement {

	/** The maximum number of leases of a job that end without costing an attempt. */
	private static final int UNSEEN = 20;

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
					, orphan as materialized (
						select held.*, 'worker ' || dead.worker_id || ' (' || dead.name || ') died' as error
						from dead cross join lateral (
							select id, leased_at, worker_id, attempt,
								job.state = 'starting' and job.lease - job.attempt < %s as unseen,
								coalesce(job.max_attempts, (dead.max_attempts ->> type)::integer, ?) as attempt_limit
							from {schema}.job job %s) held
						limit ?),
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
					set state = (case when orphan.unseen or orphan.attempt < orphan.attempt_limit then 'queued' else 'failed' end)::{schema}.job_state,
						attempt = j.attempt - orphan.unseen::integer, worker_id = null,
						last_error = case when orphan.unseen then j.last_error else orphan.error end
					from orphan
					where j.id = orphan.id and j.id = any (array(select id from orphan))
					returning j.id, j.type, j.queue, j.state::text as state, orphan.worker_id,
						case when j.tracked and j.state::text = 'failed' then {schema}.end_job(j.id, j.batch_id, 'failed') end as dependents""";

	private static final String ALL = RECOVER.formatted(UNSEEN, HELD.formatted("<> all (?)"));

	private static final String ONE = RECOVER.formatted(UNSEEN, HELD.formatted("= any (?)"));

	private static final String FIND = DEAD + """
			select held.id from dead cross join lateral (
				select id from {schema}.job %s) held
			limit ?""".formatted(HELD.formatted("<> all (?)"));

	private final QueueDatabase database;

	RecoverStatement(QueueDatabase database) {
		this.database = database;
	}

	/** Recovers jobs up to a maximum, and none of the exceptions. */
	List<RecoveredJob> execute(int maxAttempts, int limit, Collection<Long> exceptions) {
		return recover(ALL, maxAttempts, limit, exceptions);
	}

	/** Recovers one job, if a dead worker holds it and no transaction has locked it. */
	Optional<RecoveredJob> execute(int maxAttempts, long id) {
		return recover(ONE, maxAttempts, 1, List.of(id)).stream().findFirst();
	}

	private List<RecoveredJob> recover(String statement, int maxAttempts, int limit, Collection<Long> ids) {
		return this.database.query(statement, (prepared) -> {
			prepared.setInt(1, maxAttempts);
			prepared.setArray(2, Sql.array(prepared, "bigint", ids, (id) -> id));
			prepared.setInt(3, limit);
			prepared.setInt(4, limit);
		}, (row, index) -> new RecoveredJob(row.getLong("id"), row.getString("type"), row.getString("queue"),
				JobState.of(row.getString("state")), row.getLong("worker_id")));
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
