package io.rowqueue.engine.explain;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.rowqueue.control.Pause;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.explain.JobFacts.Awaited;
import io.rowqueue.engine.explain.JobFacts.Candidate;
import io.rowqueue.engine.explain.JobFacts.Facts;
import io.rowqueue.engine.explain.JobFacts.Holder;
import io.rowqueue.engine.explain.JobFacts.KeyHolder;
import io.rowqueue.engine.explain.JobFacts.Locker;
import io.rowqueue.engine.job.JobStore;
import io.rowqueue.engine.support.QueueClass;
import io.rowqueue.engine.worker.WorkerStore;
import io.rowqueue.step.JobWait;
import io.rowqueue.step.JobWait.Kind;
import io.rowqueue.step.JobWait.State;
import org.jspecify.annotations.Nullable;

/**
 * Reads the facts about the state of a job: one snapshot, with a row for each worker that
 * could run it. It writes and locks nothing, so that it also works on a standby. A worker
 * is not counted as live if its last heartbeat was more than
 * {@value WorkerStore#LIVING_SECONDS} seconds ago, even if no other worker is left to
 * declare it dead.
 */
public final class ExplainStatement {

	private static final String JOB = """
			with clock as materialized (select clock_timestamp() as now),
			job as materialized (
				select id, queue, type, state::text as state, priority, attempt, max_attempts, run_at, order_at, created_at, leased_at,
					lease, null::timestamptz as finished_at, worker_id, cancel_requested, unique_key, last_error, xmax::text as locked_by
				from {schema}.job where id = ?
				union all
				select id, queue, type, 'follow_up', priority, 0, max_attempts, run_at, run_at, created_at, null, 0, null, null, false, unique_key,
					null, null
				from {schema}.job_follow_up where id = ?
				union all
				select id, queue, type, state::text, priority, attempt, max_attempts, run_at, run_at, created_at, leased_at, 0, finished_at,
					worker_id, false, unique_key, last_error, null
				from {schema}.job_finished where id = ?
				limit 1),
			""";

	/**
	 * Jobs in lanes that are paused, that no worker can run, or whose type has reached
	 * its limit in the cluster do not count: claims leave them out. The next lane is
	 * found by all columns of the index: by type and priority alone, the scan would begin
	 * at the type, and read all jobs of its lane.
	 */
	private static final String AHEAD = """
			living as materialized (
				select w.* from {schema}.worker w, clock
				where w.dead_at is null and w.heartbeat_at + w.idle_interval > clock.now - interval '%s seconds'),
			recursive_lane as (
				with recursive lane as (
					select first.* from job cross join lateral (
						select j.queue, j.type, j.priority from {schema}.job j
						where job.state = 'queued' and j.indexed_state = 'queued' and j.queue = job.queue
						order by j.queue, j.type, j.priority limit 1) first
					union all
					select next.* from lane cross join lateral (
						select j.queue, j.type, j.priority from {schema}.job j
						where j.indexed_state = 'queued' and (j.queue, j.type, j.priority) > (lane.queue, lane.type, lane.priority)
						order by j.queue, j.type, j.priority limit 1) next
					where next.queue = lane.queue)
				select * from lane),
			ahead as materialized (
				select sum(before.jobs) as jobs
				from job join recursive_lane lane on lane.priority >= job.priority
				cross join lateral (
					select count(*) as jobs from (
						select from {schema}.job j
						where j.indexed_state = 'queued' and {unclaimed} and j.queue = lane.queue and j.type = lane.type
							and j.priority = lane.priority and (j.order_at, j.id) < (
								case when lane.priority > job.priority then 'infinity' else job.order_at end, job.id)
						limit %s) bounded) before
				where not exists (select from {schema}.pause p where p.kind = 'type' and p.name = lane.type and {closed})
					and exists (select from living w where lane.type = any (w.types)
						and (w.queues && array[lane.queue, '*']))
					and (lane.type = job.type or not exists (
						select from {schema}.job_limit l where l.kind = 'type' and l.name = lane.type and l.concurrency <= (
							select count(*) from {schema}.job_slot s join {schema}.job holder
								on holder.id = s.job_id and holder.lease = s.lease and holder.worker_id is not null
							where s.kind = 'type' and s.name = lane.type)))),
			"""
		.formatted(WorkerStore.LIVING_SECONDS, JobFacts.MAX_AHEAD);

	private static final String CANDIDATES = """
			candidate as materialized (
				select w.id, w.name, w.type_limits, coalesce(w.slots ->> job.queue, w.slots ->> '*', '0')::integer as slots,
					(w.type_limits ->> job.type)::integer as type_limit,
					(select count(*) from {schema}.leased_jobs held where held.worker_id = w.id
						and case when w.slots ->> job.queue is null then w.slots ->> held.queue is null
							else held.queue = job.queue end) as held,
					(select count(*) from {schema}.leased_jobs held where held.worker_id = w.id and held.type = job.type) as held_of_type
				from living w, job
				where job.state in ('scheduled', 'queued', 'blocked', 'follow_up') and not w.quiet and job.type = any (w.types)
					and w.queues && array[job.queue, '*'])
			""";

	/** The wait of a row {@code job}: the one that began under its latest lease. */
	private static final String WAIT = """
			select w.kind as wait_kind, w.name as wait_name, w.began_at as wait_began, w.until as wait_until
			from {schema}.job_wait w where w.job_id = job.id and w.lease = job.lease limit 1""";

	/**
	 * What a blocked job, or the handler of a suspended one, waits for; reads
	 * {@code job}.
	 */
	static final String AWAITED = """
			left join lateral (%s) wait on job.state = 'scheduled'
			left join lateral (
				select before.id as before, before.type as before_type, before.state as before_state,
					(select count(*) from (
						select from {schema}.job_dependency d where d.successor_id = job.id limit %s) bounded) as befores,
					b.id as batch, b.name as batch_name, b.state = 'open' as batch_open, b.total as batch_total,
					b.pending as batch_pending
				from (select job.id) me
				left join lateral (
					select d.predecessor_id as id, p.type, p.state::text as state
					from {schema}.job_dependency d left join {schema}.job p on p.id = d.predecessor_id
					where d.successor_id = me.id order by p.state::text = 'failed' desc nulls last, 1 limit 1) before on true
				left join {schema}.batch_callback c on c.job_id = me.id
				left join {schema}.batches b on b.id = c.batch_id) awaited
				on job.state = 'blocked' or wait.wait_kind = 'jobs'
			"""
		.formatted(WAIT, Awaited.MAX_AWAITED_JOBS);

	/** Includes whether the database is read-only, as opposed to this transaction. */
	private static final String FACTS = """
			select clock.now, pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as read_only, job.*,
				%s as most_attempts,
				holder.name as holder_name, holder.id is null or holder.dead_at is not null as holder_dead,
				greatest(extract(epoch from clock.now - holder.heartbeat_at - holder.idle_interval), 0) as holder_silence,
				key_holder.id as key_holder, key_holder.state::text as key_holder_state,
				(select extract(epoch from clock.now - next_run_at) from {schema}.maintenance_task where name = 'promote')
					as promote_late,
				exists (select from {schema}.job_failure f where f.job_id = job.id and f.leased_at = job.leased_at) as retrying,
				(select count(*) from living) as living,
				(select count(*) from living w where job.type = any (w.types)) as of_type,
				(select jobs from ahead) as ahead,
				locker.pid as locker, locker.application_name as locker_name, locker.xact_start as locked_since,
				candidate.id as candidate, candidate.name as candidate_name, candidate.slots, candidate.held,
				candidate.type_limit, candidate.held_of_type, awaited.*, wait.*
			from clock
			left join job on true
			left join {schema}.worker holder on holder.id = job.worker_id
			left join {schema}.job key_holder on job.state = 'follow_up' and key_holder.unique_key = job.unique_key
				and key_holder.indexed_state <> 'failed'
			left join pg_stat_activity locker on locker.backend_xid::text = job.locked_by
			left join candidate on true
			"""
		.formatted(JobStore.MAX_ATTEMPTS_OF_ROW.formatted("job")) + AWAITED + """
				order by candidate.id""";

	private static final String EXPLAIN = JOB + AHEAD + CANDIDATES + FACTS;

	/** What prevents claims of the job: pauses first, then holds and windows. */
	private static final String CLOSED = """
			select p.kind, p.name, p.source, p.paused_at, p.reason, p.open_from from {schema}.pause p
			where {closed} and (p.kind, p.name) in (('queue', ?), ('queue', ?), ('type', ?),
				('key', (select j.limit_key from {schema}.job j where j.id = ?)))
			order by p.source <> '', p.open_from desc, p.kind, p.name desc""";

	private final QueueDatabase database;

	public ExplainStatement(QueueDatabase database) {
		this.database = database;
	}

	public JobFacts execute(long id) {
		List<Candidate> candidates = new ArrayList<>();
		List<JobFacts> facts = this.database.query(EXPLAIN, (row, index) -> {
			if (row.getObject("candidate") != null) {
				candidates
					.add(new Candidate(row.getLong("candidate"), row.getString("candidate_name"), row.getInt("slots"),
							row.getInt("held"), Sql.integer(row, "type_limit"), row.getInt("held_of_type")));
			}
			return facts(row, candidates);
		}, id, id, id);
		JobFacts last = facts.get(facts.size() - 1);
		return last.withPauses(pauses(last));
	}

	private List<Pause> pauses(JobFacts facts) {
		Facts job = facts.job();
		return (job == null) ? List.of() : this.database.query(CLOSED, (row, index) -> pause(row), job.queue(),
				QueueClass.of(job.queue()), job.type(), job.id());
	}

	static Pause pause(ResultSet row) throws SQLException {
		String source = row.getString("source");
		boolean window = !source.isEmpty() && !source.equals(":hold");
		return new Pause(row.getString("kind"), row.getString("name"), Sql.time(row, "paused_at"),
				row.getString("reason"), window ? source : null, Sql.instant(row, "open_from"));
	}

	private static JobFacts facts(ResultSet row, List<Candidate> candidates) throws SQLException {
		return new JobFacts(Sql.time(row, "now"), row.getBoolean("read_only"), job(row), holder(row), keyHolder(row),
				List.of(), Duration.ofMillis((long) (row.getDouble("promote_late") * 1000)), row.getBoolean("retrying"),
				row.getInt("living"), row.getInt("of_type"), List.copyOf(candidates),
				Math.min(JobFacts.MAX_AHEAD, row.getLong("ahead")), locker(row), awaited(row), waitOf(row));
	}

	static @Nullable Facts job(ResultSet row) throws SQLException {
		long id = row.getLong("id");
		return row.wasNull() ? null
				: new Facts(id, row.getString("queue"), row.getString("type"), row.getString("state"),
						row.getInt("priority"), row.getInt("attempt"), Sql.integer(row, "most_attempts"),
						Sql.time(row, "run_at"), Sql.time(row, "created_at"), Sql.instant(row, "leased_at"),
						Sql.instant(row, "finished_at"), row.getBoolean("cancel_requested"),
						row.getString("last_error"));
	}

	static @Nullable Holder holder(ResultSet row) throws SQLException {
		long id = row.getLong("worker_id");
		if (row.wasNull()) {
			return null;
		}
		double silence = row.getDouble("holder_silence");
		return new Holder(id, row.getString("holder_name"), row.getBoolean("holder_dead"),
				row.wasNull() ? null : Duration.ofMillis((long) (silence * 1000)));
	}

	static @Nullable KeyHolder keyHolder(ResultSet row) throws SQLException {
		long id = row.getLong("key_holder");
		return row.wasNull() ? null : new KeyHolder(id, row.getString("key_holder_state"));
	}

	static @Nullable Awaited awaited(ResultSet row) throws SQLException {
		return !"blocked".equals(row.getString("state")) && !Kind.JOBS.label().equals(row.getString("wait_kind")) ? null
				: new Awaited(row.getObject("before", Long.class), row.getString("before_type"),
						row.getString("before_state"), row.getInt("befores"), row.getObject("batch", Long.class),
						row.getString("batch_name"), row.getBoolean("batch_open"), row.getLong("batch_total"),
						row.getLong("batch_pending"));
	}

	private static @Nullable Locker locker(ResultSet row) throws SQLException {
		int pid = row.getInt("locker");
		return row.wasNull() ? null : new Locker(pid, row.getString("locker_name"), Sql.instant(row, "locked_since"));
	}

	/** Returns what the handler of a scheduled job waits for. */
	static @Nullable JobWait waitOf(ResultSet row) throws SQLException {
		String kind = row.getString("wait_kind");
		return (kind == null) ? null : new JobWait(Kind.of(kind), row.getString("wait_name"), State.WAITING,
				Sql.instant(row, "wait_began"), Sql.instant(row, "wait_until"), null);
	}

}
