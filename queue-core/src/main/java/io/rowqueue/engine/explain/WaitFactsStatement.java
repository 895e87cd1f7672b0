package io.rowqueue.engine.explain;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

import io.rowqueue.engine.database.QueueDatabase;
import org.jspecify.annotations.Nullable;

/**
 * Reads how far the limits and the batch are that a job waits for. It writes and locks
 * nothing.
 */
final class WaitFactsStatement {

	private static final String READ = """
			select (select count(*) from (
					select from {schema}.job before
					where job.awaits_key and before.limit_key = job.limit_key and before.indexed_state = 'blocked'
						and before.awaits_key and (before.priority > job.priority
							or before.priority = job.priority and (before.order_at, before.id) < (job.order_at, job.id))
					limit %s) bounded) as ahead,
				(select max(extract(epoch from l.rate_period) / l.rate) from (
					select r.rate, r.rate_period from {schema}.job_limit r
					where (r.kind, r.name) in (('queue', job.queue), ('type', job.type))
					union all
					(select r.rate, r.rate_period from {schema}.job_limit r
					where r.kind = 'key' and r.name in (job.limit_key, split_part(job.limit_key, ':', 1))
					order by length(r.name) desc limit 1)) l) as per_start,
				(select extract(epoch from clock_timestamp() - b.created_at) from {schema}.batch_callback c
					join {schema}.batch b on b.id = c.batch_id where c.job_id = job.id) as batch_age
			from {schema}.job where job.id = ?""".formatted(WaitFacts.MAX_AHEAD);

	private final QueueDatabase database;

	/**
	 * Creates the statement.
	 * @param database runs the statement in a transaction of its own
	 */
	public WaitFactsStatement(QueueDatabase database) {
		this.database = database;
	}

	/** Reads the facts of a job that waits. */
	public WaitFacts execute(long id) {
		return this.database
			.first(READ,
					(row, index) -> new WaitFacts(row.getLong("ahead"), seconds(row, "per_start"),
							seconds(row, "batch_age")),
					id)
			.orElse(WaitFacts.NONE);
	}

	static @Nullable Duration seconds(ResultSet row, String column) throws SQLException {
		double seconds = row.getDouble(column);
		return row.wasNull() ? null : Duration.ofMillis(Math.max(0, (long) (seconds * 1000)));
	}

}
