package io.pgqueue.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

import io.pgqueue.Batch.Event;
import io.pgqueue.BatchProgress;
import io.pgqueue.EnqueueResult;
import io.pgqueue.EnqueueResult.Outcome;
import io.pgqueue.JobQueueException;

/**
 * Stores batches. Whoever adds jobs holds a share of a lock until the transaction ends,
 * so that the batch is not over before.
 */
final class BatchStatement {

	private static final String CREATE = """
			with created as (
				insert into {schema}.batch (name, closed_at) values (?, case when not ? then clock_timestamp() end) returning id),
			counted as (
				insert into {schema}.batch_delta (batch_id) select id from created)
			select id from created""";

	private static final String CALLBACKS = """
			insert into {schema}.batch_callback (job_id, batch_id, event)
			select u.job_id, ?, u.event from unnest(?::bigint[], ?::text[]) as u (job_id, event)""";

	private static final String LOCK = """
			select id from {schema}.batch where id = ? and finished_at is null for key share""";

	private static final String COUNT = "insert into {schema}.batch_delta (batch_id, total) values (?, ?)";

	private static final String CLOSE = """
			with closed as (
				update {schema}.batch set closed_at = clock_timestamp() where id = ? and closed_at is null returning id)
			insert into {schema}.batch_delta (batch_id) select id from closed""";

	private static final String FIND = "select * from {schema}.batches where id = ?";

	private static final String OF_JOB = """
			select batch_id from {schema}.job where id = ? and batch_id is not null
			union all
			select batch_id from {schema}.batch_callback where job_id = ?""";

	private final QueueDatabase database;

	private final InsertStatement insert;

	private final DependStatement depend;

	BatchStatement(QueueDatabase database, KeptJobs kept) {
		this.database = database;
		this.insert = new InsertStatement(database);
		this.depend = new DependStatement(database, kept);
	}

	long create(String name, boolean open, List<Event> events, List<NewJob> callbacks) {
		long id = Objects
			.requireNonNull(this.database.query(CREATE, (row, index) -> row.getLong("id"), name, open).get(0));
		if (!callbacks.isEmpty()) {
			List<Long> ids = this.insert.tracked(callbacks, Collections.nCopies(callbacks.size(), true), null);
			this.database.update(CALLBACKS, (statement) -> {
				statement.setLong(1, id);
				statement.setArray(2, Sql.array(statement, "bigint", ids, (each) -> each));
				statement.setArray(3,
						Sql.array(statement, "text", events, (event) -> event.name().toLowerCase(Locale.ROOT)));
			});
		}
		return id;
	}

	/** Keeps a batch from being over until the transaction ends. */
	void hold(long id) {
		if (this.database.query(LOCK, (row, index) -> row.getLong("id"), id).isEmpty()) {
			throw new JobQueueException("Batch " + id + " is over, or there is no such batch: no jobs can be added");
		}
	}

	List<EnqueueResult> add(long id, List<NewJob> jobs) {
		List<Boolean> blocked = new ArrayList<>(jobs.size());
		jobs.forEach((job) -> blocked.add(!job.request().predecessors().ids().isEmpty()));
		List<Long> ids = this.insert.tracked(jobs, blocked, id);
		this.depend.execute(DependStatement.of(jobs, ids));
		this.database.update(COUNT, id, jobs.size());
		return ids.stream().map((each) -> new EnqueueResult(each, Outcome.CREATED)).toList();
	}

	boolean close(long id) {
		return this.database.update(CLOSE, id) == 1;
	}

	Optional<BatchProgress> find(long id) {
		return this.database.query(FIND, (row, index) -> progress(row), id).stream().findFirst();
	}

	static BatchProgress progress(ResultSet row) throws SQLException {
		return new BatchProgress(row.getLong("id"), row.getString("name"), Sql.time(row, "created_at"),
				Sql.instant(row, "closed_at"), Sql.instant(row, "finished_at"), row.getLong("total"),
				row.getLong("succeeded"), row.getLong("failed"), row.getLong("cancelled"));
	}

	/** The batch that a job is in, or runs after. */
	OptionalLong ofJob(long jobId) {
		return this.database.query(OF_JOB, (row, index) -> row.getLong("batch_id"), jobId, jobId)
			.stream()
			.mapToLong(Long::longValue)
			.findFirst();
	}

}
