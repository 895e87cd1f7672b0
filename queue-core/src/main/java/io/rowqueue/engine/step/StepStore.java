package io.rowqueue.engine.step;

import java.util.List;
import java.util.Optional;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.lease.Lease;
import io.rowqueue.step.RecordedStep;
import org.jspecify.annotations.Nullable;

/**
 * The recorded steps of handlers, in a separate table, so that jobs without steps have no
 * costs. All methods throw {@link org.springframework.dao.DataAccessException} if the
 * database rejects a statement or is not available.
 */
public final class StepStore {

	/** A job that is to repeat some of its steps has a row without a name. */
	private static final String COUNTS = """
			(s.kept or not exists (
				select from {schema}.job_step f where f.job_id = s.job_id and f.name = '' and f.lease >= s.lease))""";

	private static final String FIND = """
			select s.result from {schema}.job_step s where s.job_id = ? and s.name = ?""" + " and " + COUNTS;

	/**
	 * If two attempts have completed the same step, the one with the newer lease takes
	 * precedence.
	 */
	private static final String RECORD = """
			with held as materialized (
				select id, lease from {schema}.job where id = ? and worker_id = ? and lease = ?),
			recorded as (
				insert into {schema}.job_step as known (job_id, name, lease, result, finished_at)
				select id, ?, lease, ?::json, clock_timestamp() from held
				on conflict (job_id, name) do update
				set lease = excluded.lease, result = excluded.result, finished_at = excluded.finished_at
				where known.lease <= excluded.lease)
			select id from held""";

	/**
	 * A record that another attempt has committed since the step was looked for stays as
	 * it is, and so does what it was committed with: the caller's transaction must not be
	 * committed. One that is not committed yet is waited for.
	 */
	private static final String RECORD_IN_TRANSACTION = """
			with held as materialized (
				select id, lease from {schema}.job where id = ? and worker_id = ? and lease = ?),
			recorded as (
				insert into {schema}.job_step as s (job_id, name, lease, result, finished_at)
				select id, ?, lease, ?::json, clock_timestamp() from held
				on conflict (job_id, name) do update
				set lease = excluded.lease, result = excluded.result, finished_at = excluded.finished_at
				where not""" + " " + COUNTS + """
			 returning job_id)
			select exists (select from recorded) as recorded from held""";

	private static final String LIST = """
			select s.name, s.lease, s.finished_at from {schema}.job_step s
			where s.job_id = ? and s.name <> ''""" + " and " + COUNTS + " order by s.finished_at, s.name limit ?";

	/** The maximum number of steps that {@link #list} returns. */
	public static final int MAX_STEPS = 1000;

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs the statements
	 */
	public StepStore(QueueDatabase database) {
		this.database = database;
	}

	/** Finds a recorded step. */
	public Optional<Recorded> find(long jobId, String name) {
		return this.database.first(FIND, (row, index) -> new Recorded(row.getString("result")), jobId, name);
	}

	/** Records a completed step; returns false if the lease was lost. */
	public boolean record(long workerId, Lease lease, String name, @Nullable String result) {
		return !this.database
			.query(RECORD, (row, index) -> row.getLong("id"), lease.jobId(), workerId, lease.token(), name, result)
			.isEmpty();
	}

	/** Records a completed step in the transaction that it has written in. */
	public Result recordInTransaction(long workerId, Lease lease, String name, @Nullable String result) {
		return this.database
			.first(RECORD_IN_TRANSACTION, (row, index) -> row.getBoolean("recorded") ? Result.RECORDED : Result.KNOWN,
					lease.jobId(), workerId, lease.token(), name, result)
			.orElse(Result.LEASE_LOST);
	}

	/** Returns the steps of a job, in the order in which they were completed. */
	public List<RecordedStep> list(long jobId) {
		return this.database.query(LIST, (row, index) -> new RecordedStep(row.getString("name"), row.getInt("lease"),
				Sql.time(row, "finished_at")), jobId, MAX_STEPS);
	}

	/** Whether a step was recorded in its transaction. */
	public enum Result {

		RECORDED,

		/** Another attempt has recorded the step meanwhile. */
		KNOWN,

		LEASE_LOST

	}

	/**
	 * The result of a recorded step.
	 *
	 * @param result the result as JSON, or {@code null}
	 */
	public record Recorded(@Nullable String result) {

	}

}
