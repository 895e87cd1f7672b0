package io.rowqueue.engine.outbox;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;

import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.job.NewJob;

/**
 * Stores new jobs that a broker will carry, in the caller's transaction. Returns their
 * ids in the order of the jobs.
 */
final class OutboxStatement {

	private static final String ONE = """
			insert into {schema}.outbox (queue, type, max_attempts, payload, headers)
			values (?, ?, ?::smallint, ?::json, ?::json)
			returning id""";

	private static final String INSERT = """
			with stored as (
				insert into {schema}.outbox (id, queue, type, max_attempts, payload, headers)
				select nextval('{schema}.job_id_seq'), queue, type, max_attempts::smallint, payload::json, headers::json
				from unnest(?::text[], ?::text[], ?::integer[], ?::text[], ?::text[])
					as u(queue, type, max_attempts, payload, headers)
				returning id)
			select id from stored order by id""";

	private static final String GIVEN = """
			insert into {schema}.outbox (queue, type, max_attempts, payload, headers, id)
			values (?, ?, ?::smallint, ?::json, ?::json, ?)""";

	private static final String CONTAINS = "select from {schema}.outbox where id = ?";

	private final QueueDatabase database;

	OutboxStatement(QueueDatabase database) {
		this.database = database;
	}

	List<Long> insert(List<NewJob> jobs) {
		return (jobs.size() == 1)
				? this.database.query(ONE, (statement) -> bind(statement, jobs.get(0)), (row, index) -> row.getLong(1))
				: this.database.query(INSERT, (statement) -> bind(statement, jobs), (row, index) -> row.getLong(1));
	}

	/** Stores a job that has an id. */
	void insert(long id, NewJob job) {
		this.database.update(GIVEN, (statement) -> {
			bind(statement, job);
			statement.setLong(6, id);
		});
	}

	/** Whether a job waits to be published, as far as the caller's transaction sees. */
	boolean contains(long jobId) {
		return this.database.first(CONTAINS, (row, index) -> true, jobId).isPresent();
	}

	private static void bind(PreparedStatement statement, NewJob job) throws SQLException {
		statement.setString(1, job.request().queue());
		statement.setString(2, job.request().type());
		statement.setObject(3, job.request().maxAttempts(), Types.INTEGER);
		statement.setString(4, job.payload());
		statement.setString(5, job.headers());
	}

	private static void bind(PreparedStatement statement, List<NewJob> jobs) throws SQLException {
		new Parameters(statement).array("text", jobs, (job) -> job.request().queue())
			.array("text", jobs, (job) -> job.request().type())
			.array("integer", jobs, (job) -> job.request().maxAttempts())
			.array("text", jobs, NewJob::payload)
			.array("text", jobs, NewJob::headers);
	}

}
