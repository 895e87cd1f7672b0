package io.pgqueue.engine.outbox;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import javax.sql.DataSource;

import io.pgqueue.engine.database.OwnTransaction;
import io.pgqueue.engine.database.QueueDatabase;
import io.pgqueue.engine.database.Sql;
import io.pgqueue.transport.JobMessage;
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
	 * A relay that got no answer may have published the jobs: their deliveries must find
	 * that the database has taken them over.
	 */
	private static final String MOVE = """
			with moved as (
				delete from {schema}.outbox
				where ctid = any (array(select ctid from {schema}.outbox order by id limit ? for update skip locked))
				returning *),
			fresh as (
				insert into {schema}.parked (job_id) select id from moved order by id
				on conflict do nothing
				returning job_id)
			insert into {schema}.job (id, created_at, run_at, order_at, state, max_attempts, queue, type, payload, headers)
			select id, created_at, created_at, created_at, 'queued', max_attempts, queue, type, payload, headers
			from moved join fresh on job_id = id
			returning queue""";

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
	 * the jobs are in the outbox again, although the broker may have them.
	 * @param from the smallest id to take
	 * @param limit the maximum number of jobs
	 * @param publish returns when the broker has stored the jobs
	 * @return the jobs, by id
	 * @throws InterruptedException if the thread is interrupted
	 */
	List<JobMessage> relay(long from, int limit, Publication publish) throws InterruptedException {
		return this.transaction.run(() -> {
			List<JobMessage> jobs = new ArrayList<>(
					this.database.query(TAKE, (row, index) -> message(row), from, limit));
			jobs.sort(Comparator.comparingLong(JobMessage::id));
			if (!jobs.isEmpty()) {
				publish.publish(jobs);
			}
			return jobs;
		});
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

		void publish(List<JobMessage> jobs) throws InterruptedException;

	}

}
