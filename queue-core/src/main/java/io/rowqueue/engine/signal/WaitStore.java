package io.rowqueue.engine.signal;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import io.rowqueue.JobState;
import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.wakeup.Arrivals;
import io.rowqueue.step.JobOutcome;
import io.rowqueue.step.JobWait;
import io.rowqueue.step.JobWait.Kind;
import io.rowqueue.step.JobWait.State;
import org.jspecify.annotations.Nullable;

/**
 * The waits of handlers, in separate tables, so that jobs without waits have no costs.
 * What a worker writes is fenced by the lease of the job. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
public final class WaitStore {

	private static final String FIND = """
			select s.job_id is not null as answered, s.timed_out, s.payload,
				coalesce(w.until <= clock_timestamp(), false) as over
			from {schema}.job j
			left join {schema}.job_signal s on s.job_id = j.id and s.name = ? and ?
			left join {schema}.job_wait w on w.job_id = j.id and w.name = ? and w.kind = ?
			where j.id = ? and j.worker_id = ? and j.lease = ?""";

	/**
	 * A signal that is being sent has the same key: one of the two waits for the other,
	 * and then gives way.
	 */
	private static final String TIME_OUT = """
			insert into {schema}.job_signal (job_id, name, timed_out, pending)
			select id, ?, true, false from {schema}.job where id = ? and worker_id = ? and lease = ?
			on conflict do nothing""";

	/** Not one that has replaced it since, nor one that a sender is about to replace. */
	private static final String UNREADABLE = """
			update {schema}.job_signal s set unreadable = true from {schema}.job j
			where j.id = ? and j.worker_id = ? and j.lease = ? and s.job_id = j.id and s.name = ?
				and s.unreadable is null and s.payload::text is not distinct from ?""";

	/** As far as is known where not all successes are kept: see settle_dependencies. */
	private static final String OUTCOMES = """
			select a.id, left(case when o.state in ('failed', 'cancelled') then o.last_error end, ?) as error,
				coalesce(o.state, case when exists (select from {schema}.worker w where 'history:partial' = any (w.declarations))
					then 'succeeded' end) as state,
				o.state is not null as found, o.state is null and (a.id > (select last_value from {schema}.job_id_seq)
					or exists (select from {schema}.unpublished_job u where u.id = a.id)
					or exists (select from {schema}.own_ids)) as elsewhere
			from unnest(?::bigint[]) with ordinality as a (id, place)
			left join lateral (
				select state::text as state, last_error from {schema}.job where id = a.id
				union all
				select 'scheduled', null from {schema}.job_follow_up where id = a.id
				union all
				select state::text, last_error from {schema}.job_finished where id = a.id
				limit 1) o on true
			order by a.place""";

	/** Of the jobs that wait for a job, also through others; at most some thousands. */
	private static final String WAITING_FOR = """
			with recursive waiting (id) as (
				select ?::bigint
				union
				select s.id from waiting join {schema}.job_dependency d on d.predecessor_id = waiting.id
					join {schema}.job s on s.id = d.successor_id
						and case d.when_failed when 'wake' then {schema}.awaits_jobs(s) else s.state = 'blocked' end)
			select id from (select id from waiting limit 10000) w where id = any (?::bigint[]) limit 1""";

	/**
	 * The attempt is not counted. A repeated wait keeps its end. A job is due at once if
	 * its signal was sent meanwhile, and queued if it is to be cancelled. Any other one
	 * with a limit key is admitted again, and takes another token. A job that waits for
	 * others stays in this shard, as if they were its predecessors; they may be ending
	 * without having seen that, which maintenance finds out.
	 */
	private static final String BEGIN = """
			with attempt as materialized (
				select id, lease, cancel_requested, (?::text[])[array_position(?::bigint[], id)] as kind,
					(?::text[])[array_position(?::bigint[], id)] as name,
					(?::bigint[])[array_position(?::bigint[], id)]::float8 * interval '1 microsecond' as at_most
				from {schema}.job
				where {briefly} and {held}
				order by id for update),
			wait as (
				insert into {schema}.job_wait as known (job_id, kind, name, lease, began_at, until)
				select id, kind, name, lease, clock_timestamp(), clock_timestamp() + at_most from attempt
				on conflict (job_id, kind, name) do update set lease = excluded.lease
				returning job_id, until),
			awaited as materialized (
				select w.predecessor, attempt.id as successor
				from unnest(?::bigint[], ?::bigint[]) as w (predecessor, successor) join attempt on attempt.id = w.successor),
			earlier as (
				delete from {schema}.job_dependency d using attempt
				where attempt.kind = 'jobs' and d.successor_id = attempt.id and d.when_failed = 'wake' and not exists (
					select from awaited a where a.predecessor = d.predecessor_id and a.successor = d.successor_id)),
			dependency as (
				insert into {schema}.job_dependency (predecessor_id, successor_id, when_failed, unsure)
				select predecessor, successor, 'wake', true from awaited order by predecessor, successor
				on conflict (predecessor_id, successor_id) do update set unsure = true),
			due as materialized (
				select attempt.id, attempt.kind, case when attempt.cancel_requested or (attempt.kind = 'signal' and exists (
					select from {schema}.job_signal s where s.job_id = attempt.id and s.name = attempt.name))
					then clock_timestamp() else greatest(wait.until, clock_timestamp()) end as at
				from attempt join wait on wait.job_id = attempt.id)
			update {schema}.job j
			set state = (case when j.cancel_requested then 'queued'
					else {schema}.initial_state(due.at, j.limit_key)::text end)::{schema}.job_state,
				run_at = due.at, order_at = {schema}.deadline(due.at, j.tolerance), attempt = j.attempt - 1, worker_id = null,
				tracked = case when due.kind = 'jobs' then true else j.tracked end
			from due
			where j.id = due.id and j.id = any (?)
			returning j.id, j.queue, j.state::text <> 'queued' as limited, j.run_at <= clock_timestamp() as due""";

	private static final String LIST = """
			select coalesce(w.kind, s.kind) as kind, coalesce(w.name, s.name) as name, w.began_at, w.until, s.sent_at, s.timed_out,
				w.until <= clock_timestamp() as over, exists (
					select from {schema}.job_step r where r.job_id = w.job_id and r.name = 'jobs:' || w.name and w.kind = 'jobs') as recorded
			from (select * from {schema}.job_wait where job_id = ?) w
			full join (select 'signal' as kind, * from {schema}.job_signal where job_id = ?) s
				on s.kind = w.kind and s.name = w.name
			order by coalesce(w.began_at, s.sent_at), name limit ?""";

	/** The maximum number of waits that {@link #list} returns. */
	public static final int MAX_WAITS = 1000;

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs the statements
	 */
	public WaitStore(QueueDatabase database) {
		this.database = database;
	}

	/** Finds what is known about a wait; empty if the lease was lost. */
	public Optional<Known> find(long workerId, Lease lease, Kind kind, String name) {
		return this.database.first(FIND, (row, index) -> known(row), name, kind == Kind.SIGNAL, name, kind.label(),
				lease.jobId(), workerId, lease.token());
	}

	/**
	 * Records that a job continues without a signal. Without effect if the signal was
	 * sent, or the lease was lost.
	 */
	public void timeOut(long workerId, Lease lease, String name) {
		this.database.update(TIME_OUT, name, lease.jobId(), workerId, lease.token());
	}

	/**
	 * Records that the handler could not read a signal, which the next one with this name
	 * replaces. Without effect if that has happened, or the lease was lost.
	 * @param payload the payload that it could not read
	 */
	public void unreadable(long workerId, Lease lease, String name, @Nullable String payload) {
		this.database.update(UNREADABLE, lease.jobId(), workerId, lease.token(), name, payload);
	}

	/**
	 * Ends attempts whose handlers wait.
	 * @param resumed receives the jobs that do not need to wait any more
	 * @return the ids of the jobs that wait now; all other leases were lost
	 */
	public List<Long> begin(long workerId, Collection<Wait> waits, Consumer<Arrivals> resumed) {
		List<Wait> all = List.copyOf(waits);
		List<Lease> leases = all.stream().map(Wait::lease).toList();
		List<Dependency> awaited = all.stream()
			.flatMap((wait) -> wait.jobs().stream().map((id) -> new Dependency(id, wait.lease().jobId())))
			.toList();
		List<Long> ids = new ArrayList<>();
		this.database.query(BEGIN,
				(statement) -> new Parameters(statement)
					.byId("text", all, (wait) -> wait.kind().label(), leases, Lease::jobId)
					.byId("text", all, Wait::name, leases, Lease::jobId)
					.byId("bigint", all, (wait) -> Sql.micros(wait.atMost()), leases, Lease::jobId)
					.held(workerId, leases, Lease::jobId, Lease::token)
					.array("bigint", awaited, Dependency::predecessor)
					.array("bigint", awaited, Dependency::successor)
					.array("bigint", leases, Lease::jobId),
				(row, index) -> {
					if (row.getBoolean("due")) {
						resumed.accept(Arrivals.of(row.getString("queue"), row.getBoolean("limited")));
					}
					return ids.add(row.getLong("id"));
				});
		return ids;
	}

	/** Returns what has become of jobs that a job awaits, in their order. */
	public List<Awaited> outcomes(List<Long> ids) {
		return this.database.query(OUTCOMES,
				(statement) -> new Parameters(statement).integer(JobOutcome.MAX_ERROR).numbers(ids),
				(row, index) -> awaited(row));
	}

	/** Finds one of some jobs that waits for a job, or is that job. */
	public Optional<Long> waitingFor(long jobId, List<Long> ids) {
		return this.database
			.query(WAITING_FOR, (statement) -> new Parameters(statement).number(jobId).numbers(ids),
					(row, index) -> row.getLong("id"))
			.stream()
			.findFirst();
	}

	/** Returns the waits of a job and the signals that were sent to it, in order. */
	public List<JobWait> list(long jobId) {
		return this.database.query(LIST, (row, index) -> wait(row), jobId, jobId, MAX_WAITS);
	}

	private static Known known(ResultSet row) throws SQLException {
		return new Known(row.getBoolean("answered"), row.getBoolean("timed_out"), row.getBoolean("over"),
				row.getString("payload"));
	}

	private static Awaited awaited(ResultSet row) throws SQLException {
		String state = row.getString("state");
		return new Awaited(
				new JobOutcome(row.getLong("id"), (state != null) ? JobState.of(state) : null, row.getString("error")),
				row.getBoolean("found"), row.getBoolean("elsewhere"));
	}

	private static JobWait wait(ResultSet row) throws SQLException {
		Kind kind = Kind.of(row.getString("kind"));
		Instant sentAt = Sql.instant(row, "sent_at");
		boolean timedOut = row.getBoolean("timed_out");
		State state = State.WAITING;
		if (sentAt != null) {
			state = timedOut ? State.TIMED_OUT : State.RECEIVED;
		}
		else if (kind == Kind.SLEEP && row.getBoolean("over")) {
			state = State.SLEPT;
		}
		else if (row.getBoolean("recorded")) {
			state = State.ENDED;
		}
		return new JobWait(kind, row.getString("name"), state, Sql.instant(row, "began_at"), Sql.instant(row, "until"),
				timedOut ? null : sentAt);
	}

	/**
	 * What is known about a wait.
	 *
	 * @param answered whether the signal was sent, or the wait for it has timed out
	 * @param timedOut whether the wait has timed out
	 * @param over whether its end has passed
	 * @param payload the payload of the signal as JSON, or {@code null}
	 */
	public record Known(boolean answered, boolean timedOut, boolean over, @Nullable String payload) {

	}

	private record Dependency(long predecessor, long successor) {

	}

	/**
	 * A job that a handler awaits.
	 *
	 * @param outcome what has become of it
	 * @param found whether there is such a job
	 * @param elsewhere whether there is none, and another database or a broker may have
	 * it, or its id was never given
	 */
	public record Awaited(JobOutcome outcome, boolean found, boolean elsewhere) {

	}

}
