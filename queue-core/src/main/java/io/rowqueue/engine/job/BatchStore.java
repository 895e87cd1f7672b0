package io.rowqueue.engine.job;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

import io.rowqueue.EnqueueResult.Outcome;
import io.rowqueue.EnqueueResult;
import io.rowqueue.JobQueueException;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.QueueDatabases;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.lease.KeptJobs;
import io.rowqueue.flow.Batch.Event;
import io.rowqueue.flow.BatchProgress;

/**
 * Batches of jobs. What changes them takes part in the transaction of the calling thread.
 * A transaction that adds jobs holds a share of a lock until the transaction ends, so
 * that the batch is not over before. All methods throw
 * {@link org.springframework.dao.DataAccessException} when the database refuses or is
 * away.
 */
public final class BatchStore {

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

	private final QueueDatabase committed;

	private final InsertStatement insert;

	private final DependStatement depend;

	private final KeyedStatement keys;

	/**
	 * Creates the store.
	 * @param databases the database
	 * @param kept which succeeded jobs are kept
	 */
	public BatchStore(QueueDatabases databases, KeptJobs kept) {
		QueueDatabase application = databases.application();
		this.database = application;
		this.committed = databases.worker();
		this.insert = new InsertStatement(application);
		this.depend = new DependStatement(application, kept);
		this.keys = new KeyedStatement(application);
	}

	/**
	 * Stores a batch without jobs. Needs a transaction.
	 * @param name the name of the batch
	 * @param open whether it waits to be closed
	 * @param events when each of the callbacks runs
	 * @param callbacks the jobs that run when the batch has ended
	 * @return the id of the batch
	 */
	public long create(String name, boolean open, List<Event> events, List<NewJob> callbacks) {
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

	/**
	 * Keeps a batch from being over until the transaction ends.
	 * @throws JobQueueException if the batch has ended, or there is none
	 */
	public void hold(long id) {
		if (this.database.query(LOCK, (row, index) -> row.getLong("id"), id).isEmpty()) {
			throw new JobQueueException("Batch " + id + " has ended or does not exist: no jobs can be added");
		}
	}

	/** Stores jobs of a batch that is held or new; one result for each, in order. */
	public List<EnqueueResult> add(long id, List<NewJob> jobs) {
		this.depend.check(jobs);
		List<NewJob> keyed = jobs.stream().filter(BatchStore::isKeyed).toList();
		List<NewJob> plain = keyed.isEmpty() ? jobs : jobs.stream().filter((job) -> !isKeyed(job)).toList();
		Iterator<EnqueueResult> keyedResults = addKeyed(id, keyed).iterator();
		Iterator<EnqueueResult> plainResults = addPlain(id, plain).iterator();
		List<EnqueueResult> results = jobs.stream()
			.map((job) -> isKeyed(job) ? keyedResults.next() : plainResults.next())
			.toList();
		this.database.update(COUNT, id, results.stream().filter(BatchStore::isCreated).count());
		return results;
	}

	private List<EnqueueResult> addPlain(long id, List<NewJob> jobs) {
		List<Boolean> blocked = new ArrayList<>(jobs.size());
		jobs.forEach((job) -> blocked.add(!job.request().predecessors().ids().isEmpty()));
		List<Long> ids = this.insert.tracked(jobs, blocked, id);
		this.depend.execute(DependStatement.of(jobs, ids));
		return ids.stream().map((each) -> new EnqueueResult(each, Outcome.CREATED)).toList();
	}

	/** An existing job is not counted: it may be in another batch. */
	private List<EnqueueResult> addKeyed(long id, List<NewJob> jobs) {
		List<EnqueueResult> results = this.keys.execute(jobs);
		Map<Long, Boolean> created = new LinkedHashMap<>();
		results.stream().filter(BatchStore::isCreated).forEach((result) -> created.put(result.id(), false));
		this.keys.track(created, id);
		return results;
	}

	private static boolean isKeyed(NewJob job) {
		return job.request().unique() != null;
	}

	private static boolean isCreated(EnqueueResult result) {
		return result.outcome() == Outcome.CREATED;
	}

	/** Lets a batch be over when its jobs are; returns whether it was open. */
	public boolean close(long id) {
		return this.database.update(CLOSE, id) == 1;
	}

	/** How far a batch is. */
	public Optional<BatchProgress> find(long id) {
		return this.database.first(FIND, (row, index) -> progress(row), id);
	}

	/** The batch that a job is in, or runs after. */
	public OptionalLong ofJob(long jobId) {
		return this.committed.query(OF_JOB, (row, index) -> row.getLong("batch_id"), jobId, jobId)
			.stream()
			.mapToLong(Long::longValue)
			.findFirst();
	}

	/** Reads a row of the view {@code batches}. */
	public static BatchProgress progress(ResultSet row) throws SQLException {
		return new BatchProgress(row.getLong("id"), row.getString("name"), Sql.time(row, "created_at"),
				Sql.instant(row, "closed_at"), Sql.instant(row, "finished_at"), row.getLong("total"),
				row.getLong("succeeded"), row.getLong("failed"), row.getLong("cancelled"));
	}

}
