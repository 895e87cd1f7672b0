package io.pgqueue.engine.lease;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.pgqueue.engine.database.Parameters;
import io.pgqueue.engine.database.QueueDatabase;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that workers hold, while they hold them: which ones they are, which of them
 * run, and how far they are. How their attempts end stands in {@link SuccessStore} and
 * {@link OutcomeStore}. Every method names the worker and the leases, and changes nothing
 * about a job whose lease was lost. Every method is one statement, and throws
 * {@link org.springframework.dao.DataAccessException} when the database refuses or is
 * away.
 */
public final class LeaseStore {

	/**
	 * The size that is stored says nothing of a compressed payload: it is measured as it
	 * is sent.
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

	/**
	 * In a table of its own: most jobs have no progress and are not to pay for it, and
	 * the rows of jobs would be copied each time. A lease that was lost is refused by the
	 * job's row, or, if it was lost a moment ago, by the smaller number of the lease.
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

	private static final String OF_WORKER = """
			with held as materialized (
				select c.id as claim_id, j.id, j.lease
				from {schema}.claim c cross join lateral unnest(c.job_ids) as claimed (id)
				cross join lateral (
					select id, lease from {schema}.job where id = claimed.id and worker_id = c.worker_id offset 0) j
				where c.worker_id = ?),
			over as (
				delete from {schema}.claim c
				where c.worker_id = ? and not exists (select from held where held.claim_id = c.id))
			select distinct id, lease from held""";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database where workers see the queue
	 */
	public LeaseStore(QueueDatabase database) {
		this.database = database;
	}

	/**
	 * Reads a payload that a claim has deferred; nothing if the lease was lost.
	 * @param mostBytes a longer one stays in the database
	 */
	public Optional<StoredPayload> payload(long workerId, Lease lease, long mostBytes) {
		return this.database.first(PAYLOAD,
				(row, index) -> new StoredPayload(row.getInt("bytes"), row.getString("payload")), mostBytes,
				lease.jobId(), workerId, lease.token());
	}

	/**
	 * Shows that leased jobs run; returns the ids of those that are shown now. Others are
	 * locked at the moment, or their lease was lost. Written only for jobs that run for a
	 * while: most are over before anybody could look.
	 */
	public List<Long> running(long workerId, Collection<Lease> leases) {
		return ids(RUNNING, workerId, List.copyOf(leases));
	}

	/** Shows that a leased job runs; returns whether its lease is still held. */
	public boolean running(long workerId, Lease lease) {
		return this.database.update(RUNS, lease.jobId(), workerId, lease.token()) == 1;
	}

	/**
	 * Shows how far leased jobs are; returns the ids of those whose lease is still held.
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

	/** The ids of leased jobs whose rows somebody else has locked; waits for no lock. */
	public List<Long> locked(long workerId, Collection<Lease> leases) {
		List<Lease> held = List.copyOf(leases);
		return this.database.query(LOCKED,
				(statement) -> new Parameters(statement).held(workerId, held, Lease::jobId, Lease::token)
					.held(workerId, held, Lease::jobId, Lease::token),
				(row, index) -> row.getLong("id"));
	}

	/** The leases of a worker whose jobs are to be cancelled. */
	public List<Lease> cancelRequested(long workerId) {
		return this.database.query(CANCEL_REQUESTED, (row, index) -> new Lease(row.getLong("id"), row.getInt("lease")),
				workerId);
	}

	/**
	 * The leases that a worker holds. Claims of which nothing is held any more are
	 * dropped.
	 */
	public List<Lease> of(long workerId) {
		return this.database.query(OF_WORKER, (row, index) -> new Lease(row.getLong("id"), row.getInt("lease")),
				workerId, workerId);
	}

	private List<Long> ids(String statement, long workerId, List<Lease> leases) {
		return this.database.query(statement,
				(prepared) -> new Parameters(prepared).held(workerId, leases, Lease::jobId, Lease::token),
				(row, index) -> row.getLong("id"));
	}

	/**
	 * A payload that a claim has left in the database.
	 *
	 * @param bytes how many it has as UTF-8
	 * @param json the payload; {@code null}: it is longer than the caller can take
	 */
	public record StoredPayload(int bytes, @Nullable String json) {

	}

}
