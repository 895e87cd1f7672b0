package io.rowqueue.engine.outbox;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import javax.sql.DataSource;

import io.rowqueue.engine.database.OwnTransaction;
import io.rowqueue.engine.database.Parameters;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.transport.JobMessage;
import org.springframework.transaction.TransactionDefinition;

/**
 * Takes jobs out of the outbox: to publish them, or to run them from the database. Rows
 * that another relay has locked are skipped. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
public final class OutboxStore {

	/** How long the transaction of a relay may wait for the broker. */
	private static final String MAX_WAIT = "10s";

	private static final String TAKE = """
			delete from {schema}.outbox
			where (select set_config('idle_in_transaction_session_timeout', '%s', true)) is not null
				and ctid = any (array(
					select ctid from {schema}.outbox where id >= ? order by id limit ? for update skip locked))
			returning id, type, queue, (extract(epoch from created_at) * 1000000)::bigint as created_at, max_attempts,
				payload, headers""".formatted(MAX_WAIT);

	/**
	 * A relay that got no answer may have published the jobs: their deliveries, which may
	 * come much later, must find that the database has taken them over.
	 */
	private static final String MOVE = """
			with moved as (
				delete from {schema}.outbox
				where ctid = any (array(select ctid from {schema}.outbox order by id limit ? for update skip locked))
				returning *),
			fresh as (
				insert into {schema}.parked (job_id, moved) select id, true from moved order by id
				on conflict do nothing
				returning job_id)
			insert into {schema}.job (id, created_at, run_at, order_at, state, max_attempts, queue, type, payload, headers)
			select id, created_at, created_at, created_at, 'queued', max_attempts, queue, type, payload, headers
			from moved join fresh on job_id = id
			returning queue""";

	/** They are gone from the outbox in this transaction. */
	private static final String KEEP = """
			with refused as materialized (
				select a.id, a.type, a.queue, timestamptz 'epoch' + a.created * interval '1 microsecond' as created_at,
					a.max_attempts, a.payload, a.headers
				from unnest(?::bigint[], ?::text[], ?::text[], ?::bigint[], ?::integer[], ?::text[], ?::text[])
					as a(id, type, queue, created, max_attempts, payload, headers)),
			fresh as (
				insert into {schema}.parked (job_id) select id from refused order by id
				on conflict do nothing
				returning job_id)
			insert into {schema}.job (id, created_at, run_at, order_at, state, max_attempts, queue, type, payload, headers)
			select id, created_at, created_at, created_at, 'queued', max_attempts, queue, type, payload::json, headers::json
			from refused join fresh on job_id = id""";

	private final QueueDatabase database;

	private final OwnTransaction transaction;

	/**
	 * Creates the store.
	 * @param database the database as workers see it
	 * @param dataSource the data source of its statements
	 */
	public OutboxStore(QueueDatabase database, DataSource dataSource) {
		this.database = database;
		this.transaction = new OwnTransaction(dataSource, TransactionDefinition.ISOLATION_DEFAULT);
	}

	/**
	 * Deletes jobs from the outbox and publishes them in one transaction. If it fails,
	 * the jobs are in the outbox again, although the broker may have them. Those that the
	 * broker refuses are moved to the table of jobs.
	 * @param from the smallest id to take
	 * @param limit the maximum number of jobs
	 * @param publish returns when the broker has stored the jobs
	 * @return the jobs, by id
	 * @throws InterruptedException if the thread is interrupted
	 */
	Relayed relay(long from, int limit, Publication publish) throws InterruptedException {
		return this.transaction.run(() -> {
			List<JobMessage> jobs = new ArrayList<>(
					this.database.query(TAKE, (row, index) -> message(row), from, limit));
			jobs.sort(Comparator.comparingLong(JobMessage::id));
			List<JobMessage> refused = jobs.isEmpty() ? List.of() : publish.publish(jobs);
			if (!refused.isEmpty()) {
				this.database.update(KEEP, (statement) -> bind(statement, refused));
			}
			return new Relayed(jobs, refused);
		});
	}

	private static void bind(PreparedStatement statement, List<JobMessage> jobs) throws SQLException {
		new Parameters(statement).array("bigint", jobs, JobMessage::id)
			.array("text", jobs, JobMessage::type)
			.array("text", jobs, JobMessage::queue)
			.array("bigint", jobs, JobMessage::createdAt)
			.array("integer", jobs, JobMessage::maxAttempts)
			.array("text", jobs, JobMessage::payload)
			.array("text", jobs, JobMessage::headers);
	}

	private static JobMessage message(ResultSet row) throws SQLException {
		return JobMessage
			.of(row.getLong("id"), row.getString("type"), row.getString("queue"), row.getLong("created_at"))
			.maxAttempts(Sql.integer(row, "max_attempts"))
			.payload(row.getString("payload"))
			.headers(row.getString("headers"));
	}

	/**
	 * Moves jobs from the outbox to the table of jobs, the oldest first.
	 * @param limit the maximum number of jobs
	 * @return the queue of each job that was moved
	 */
	List<String> move(int limit) {
		return this.database.query(MOVE, (row, index) -> row.getString("queue"), limit);
	}

	/** Publishes jobs. */
	@FunctionalInterface
	interface Publication {

		/** Returns the jobs that the broker refuses. */
		List<JobMessage> publish(List<JobMessage> jobs) throws InterruptedException;

	}

	/**
	 * What was taken out of the outbox.
	 *
	 * @param jobs all jobs, by id
	 * @param refused those of them that the broker refuses, and workers run from the
	 * database
	 */
	record Relayed(List<JobMessage> jobs, List<JobMessage> refused) {

	}

}
