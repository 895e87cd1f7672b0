package io.rowqueue.engine.signal;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.engine.wakeup.Arrivals;
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

	/**
	 * The attempt is not counted. A repeated wait keeps its end. A job is due at once if
	 * its signal was sent meanwhile, and queued if it is to be cancelled. Any other one
	 * with a limit key is admitted again, and takes another token.
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
			due as materialized (
				select attempt.id, case when attempt.cancel_requested or (attempt.kind = 'signal' and exists (
					select from {schema}.job_signal s where s.job_id = attempt.id and s.name = attempt.name))
					then clock_timestamp() else greatest(wait.until, clock_timestamp()) end as at
				from attempt join wait on wait.job_id = attempt.id)
			update {schema}.job j
			set state = (case when j.cancel_requested then 'queued'
					else {schema}.initial_state(due.at, j.limit_key)::text end)::{schema}.job_state,
				run_at = due.at, order_at = {schema}.deadline(due.at, j.tolerance), attempt = j.attempt - 1, worker_id = null
			from due
			where j.id = due.id and j.id = any (?)
			returning j.id, j.queue, j.state::text <> 'queued' as limited, j.run_at <= clock_timestamp() as due""";

	private static final String LIST = """
			select coalesce(w.kind, s.kind) as kind, coalesce(w.name, s.name) as name, w.began_at, w.until, s.sent_at, s.timed_out,
				w.until <= clock_timestamp() as over
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
		List<Long> ids = new ArrayList<>();
		this.database.query(BEGIN,
				(statement) -> new Parameters(statement)
					.byId("text", all, (wait) -> wait.kind().label(), leases, Lease::jobId)
					.byId("text", all, Wait::name, leases, Lease::jobId)
					.byId("bigint", all, (wait) -> Sql.micros(wait.atMost()), leases, Lease::jobId)
					.held(workerId, leases, Lease::jobId, Lease::token)
					.array("bigint", leases, Lease::jobId),
				(row, index) -> {
					if (row.getBoolean("due")) {
						resumed.accept(Arrivals.of(row.getString("queue"), row.getBoolean("limited")));
					}
					return ids.add(row.getLong("id"));
				});
		return ids;
	}

	/** Returns the waits of a job and the signals that were sent to it, in order. */
	public List<JobWait> list(long jobId) {
		return this.database.query(LIST, (row, index) -> wait(row), jobId, jobId, MAX_WAITS);
	}

	private static Known known(ResultSet row) throws SQLException {
		return new Known(row.getBoolean("answered"), row.getBoolean("timed_out"), row.getBoolean("over"),
				row.getString("payload"));
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

}
