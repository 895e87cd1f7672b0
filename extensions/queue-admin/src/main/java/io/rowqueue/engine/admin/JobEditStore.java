package io.rowqueue.engine.admin;

import java.util.Optional;

import io.rowqueue.admin.WrittenJob;
import io.rowqueue.engine.control.ChangeScope;
import io.rowqueue.engine.control.ControlStore;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.search.JobRowStatement;
import io.rowqueue.engine.signal.SignalStore.Sent;
import io.rowqueue.engine.signal.SignalStore;
import org.jspecify.annotations.Nullable;

/**
 * Payloads that people write. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
public final class JobEditStore {

	private static final String WAITS = """
			select id from {schema}.job where id = ? and worker_id is null and state::text in ('scheduled', 'queued', 'blocked')
			union all
			select id from {schema}.job_follow_up where id = ?""";

	private static final String TYPE = "select j.type from " + JobRowStatement.OF_ID.formatted("?") + " j";

	private static final String REPLAY = """
			select j.queue, {schema}.enqueue(type => j.type, payload => coalesce(?::json, j.payload), queue => j.queue,
				priority => j.priority, max_attempts => j.max_attempts, limit_key => j.limit_key,
				limit_units => coalesce(j.limit_units, 1),
				tags => (select array_agg(t.value order by t.value) from {schema}.job_tag t where t.job_id = j.id and t.name = '')) as id
			from %s j"""
		.formatted(JobRowStatement.OF_ID.formatted("?"));

	private static final String ENQUEUE = """
			select {schema}.enqueue(type => ?, payload => ?::json, queue => ?, priority => ?,
				delay => ? * interval '1 microsecond') as id""";

	private final QueueDatabase database;

	private final ControlStore control;

	/**
	 * Creates the store.
	 * @param database runs each statement in a transaction of its own
	 */
	public JobEditStore(QueueDatabase database) {
		this.database = database;
		this.control = new ControlStore(ChangeScope.separate(database));
	}

	/** Replaces the payload of a waiting job that has a revision, or any. */
	boolean edit(long id, @Nullable String payload, @Nullable String revision) {
		return this.control.replacePayload(id, payload, revision);
	}

	/** Returns whether a job waits. */
	boolean waits(long id) {
		return !this.database.query(WAITS, (row, index) -> row.getLong("id"), id, id).isEmpty();
	}

	/** Returns the type of a job, live or finished. */
	Optional<String> type(long id) {
		return this.database.first(TYPE, (row, index) -> row.getString("type"), id, id, id);
	}

	/** Enqueues a job like another one. */
	Optional<NewJob> replay(long id, @Nullable String payload) {
		return this.database.first(REPLAY, (row, index) -> new NewJob(row.getLong("id"), row.getString("queue")),
				payload, id, id, id);
	}

	/** Enqueues a job. */
	long enqueue(WrittenJob job, @Nullable String payload) {
		return this.database
			.query(ENQUEUE, (row, index) -> row.getLong("id"), job.type(), payload, job.queue(), job.priority(),
					Sql.micros(job.delay()))
			.get(0);
	}

	/** Sends a signal. */
	Sent signal(long id, String name, @Nullable String payload) {
		return new SignalStore(this.database).send(id, name, payload);
	}

	/**
	 * A job that was enqueued.
	 *
	 * @param id its id
	 * @param queue its queue
	 */
	record NewJob(long id, String queue) {

	}

}
