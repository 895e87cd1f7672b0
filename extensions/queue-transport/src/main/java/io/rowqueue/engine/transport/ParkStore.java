package io.rowqueue.engine.transport;

import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.transport.JobMessage;

/**
 * Parks jobs that a broker delivered: the database takes them over. Of several who park a
 * job, the one that inserts its row into {@code parked} does. Every method is one
 * statement, and throws {@link org.springframework.dao.DataAccessException} if the
 * database rejects it or is not available.
 */
final class ParkStore {

	private static final String FRESH = """
			with arrived as materialized (
				select a.id, a.type, a.queue, timestamptz 'epoch' + a.created * interval '1 microsecond' as created_at, a.lease,
					a.max_attempts, a.payload, a.headers
				from unnest(?::bigint[], ?::text[], ?::text[], ?::bigint[], ?::integer[], ?::integer[], ?::text[], ?::text[])
					as a(id, type, queue, created, lease, max_attempts, payload, headers)),
			fresh as (
				insert into {schema}.parked (job_id)
				select id from arrived a where not exists (select from {schema}.job j where j.id = a.id) order by id
				on conflict do nothing
				returning job_id)
			""";

	private static final String QUEUED = FRESH
			+ """
					insert into {schema}.job (id, created_at, run_at, order_at, state, lease, max_attempts, queue, type, payload, headers)
					select id, created_at, created_at, created_at, 'queued', lease, max_attempts, queue, type, payload::json,
						headers::json
					from arrived join fresh on job_id = id
					returning id""";

	/** As if the worker had claimed them: recovery finds them by the row of the claim. */
	private static final String LEASED = FRESH
			+ """
					, noted as (
						insert into {schema}.claim (worker_id, job_ids) select ?, array_agg(job_id) from fresh having count(*) > 0)
					insert into {schema}.job (id, created_at, run_at, order_at, leased_at, worker_id, state, attempt, lease, max_attempts,
						queue, type, payload, headers)
					select id, created_at, created_at, created_at, clock_timestamp(), ?, 'starting', 1, lease, max_attempts, queue, type,
						payload::json, headers::json
					from arrived join fresh on job_id = id
					returning id""";

	private static final String SUCCEEDED = FRESH
			+ """
					insert into {schema}.job_finished (id, created_at, run_at, leased_at, worker_id, priority, attempt, max_attempts,
						queue, type, payload, state, finished_at)
					select id, created_at, created_at, statement_timestamp(), ?, 0, 1, max_attempts, queue, type,
						case when octet_length(payload) <= 2000 then payload::json end, 'succeeded', clock_timestamp()
					from arrived join fresh on job_id = id
					returning id""";

	private static final String FAILED = FRESH
			+ """
					, failure as (
						insert into {schema}.job_failure (job_id, failed_at, attempt, error)
						select job_id, statement_timestamp(), 0, ? from fresh)
					insert into {schema}.job (id, created_at, run_at, order_at, leased_at, state, lease, max_attempts, queue, type,
						last_error, payload, headers)
					select id, created_at, created_at, created_at, clock_timestamp(), 'failed', lease, max_attempts, queue, type, ?,
						payload::json, headers::json
					from arrived join fresh on job_id = id
					returning id""";

	private static final String HELD = "select id from {schema}.job where {held}";

	private static final String OVER = """
			insert into {schema}.parked (job_id) select distinct id from unnest(?::bigint[]) as id order by id
			on conflict do nothing""";

	private static final String KNOWN = "select job_id from {schema}.parked where job_id = any (?)";

	/** Once for each record, as long as parked jobs are remembered. */
	private static final String ENQUEUE = """
			select {schema}.enqueue(type => ?, payload => ?::json, queue => ?, max_attempts => ?::integer, headers => ?::json,
				unique_key => ?, unique_for => interval '1 day', unique_from_enqueue => true, wake_up => false) as id""";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database the database as workers see it
	 */
	public ParkStore(QueueDatabase database) {
		this.database = database;
	}

	/** Queues jobs, and returns the ids of those that were not known. */
	List<Long> queue(List<ParkedJob> jobs) {
		return this.database.query(QUEUED, (statement) -> bind(new Parameters(statement), jobs),
				(row, index) -> row.getLong("id"));
	}

	/** Stores jobs that have failed, and returns the ids of those that were not known. */
	List<Long> fail(List<ParkedJob> jobs, String error) {
		return this.database.query(FAILED, (statement) -> bind(new Parameters(statement), jobs).text(error).text(error),
				(row, index) -> row.getLong("id"));
	}

	/** Leases jobs to a worker, and returns the ids of those that were not known. */
	List<Long> lease(long workerId, List<ParkedJob> jobs) {
		return this.database.query(LEASED,
				(statement) -> bind(new Parameters(statement), jobs).number(workerId).number(workerId),
				(row, index) -> row.getLong("id"));
	}

	/**
	 * Stores jobs that have succeeded, and returns the ids of those that were not known.
	 */
	List<Long> succeed(long workerId, List<ParkedJob> jobs) {
		return this.database.query(SUCCEEDED, (statement) -> bind(new Parameters(statement), jobs).number(workerId),
				(row, index) -> row.getLong("id"));
	}

	/** Enqueues a job for a record, unless it has one, and returns the job's id. */
	long enqueue(JobMessage job, String origin) {
		return this.database
			.query(ENQUEUE, (row, index) -> row.getLong("id"), job.type(), job.payload(), job.queue(),
					job.maxAttempts(), job.headers(), origin)
			.get(0);
	}

	/** Returns the ids of jobs that are leased to a worker. */
	Set<Long> held(long workerId, List<Lease> leases) {
		return new HashSet<>(this.database.query(HELD,
				(statement) -> new Parameters(statement).held(workerId, leases, Lease::jobId, Lease::token),
				(row, index) -> row.getLong("id")));
	}

	/** Records that jobs have finished, whatever the broker delivers later. */
	void over(Collection<Long> ids) {
		this.database.update(OVER, (statement) -> new Parameters(statement).numbers(ids));
	}

	/** Returns which of these jobs the database has taken over or have finished. */
	Set<Long> known(Collection<Long> ids) {
		return new HashSet<>(this.database.query(KNOWN, (statement) -> new Parameters(statement).numbers(ids),
				(row, index) -> row.getLong("job_id")));
	}

	private static Parameters bind(Parameters parameters, List<ParkedJob> jobs) throws SQLException {
		return parameters.array("bigint", jobs, (job) -> job.message().id())
			.array("text", jobs, (job) -> job.message().type())
			.array("text", jobs, (job) -> job.message().queue())
			.array("bigint", jobs, (job) -> job.message().createdAt())
			.array("integer", jobs, ParkedJob::lease)
			.array("integer", jobs, (job) -> job.message().maxAttempts())
			.array("text", jobs, (job) -> job.message().payload())
			.array("text", jobs, (job) -> job.message().headers());
	}

	/**
	 * A job to park.
	 *
	 * @param message the job as the broker carries it
	 * @param lease the number of its latest lease
	 */
	record ParkedJob(JobMessage message, int lease) {

	}

}
