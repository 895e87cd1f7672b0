package io.pgqueue.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.pgqueue.schema.SchemaName;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Queues scheduled jobs that are due. It reads the index from a low-water mark on: before
 * it lie the dead entries of all that were promoted since the oldest open transaction of
 * the server began. The mark stays a second behind the clock, as those of lanes do.
 * <p>
 * The time is that of the beginning of the statement, here and wherever an index is to
 * find the end: {@code clock_timestamp()} may change from row to row, so PostgreSQL would
 * compare it with all.
 */
final class PromoteStatement {

	private static final String PROMOTE = """
			with due as materialized (
				select ctid as tid, run_at from {schema}.job
				where state = 'scheduled' and run_at >= ?::timestamptz and run_at <= statement_timestamp() and limit_key is null
				order by run_at, id limit ? for no key update skip locked),
			promoted as (
				update {schema}.job set state = 'queued' where ctid = any (array(select tid from due))
				returning queue)
			select queue, count(*) as jobs, null as mark from promoted group by queue
			union all
			select null, 0, least(statement_timestamp() - interval '1 second', case when count(*) = ? then max(run_at) end)::text
			from due""";

	private final JdbcOperations jdbc;

	private final String promote;

	PromoteStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.promote = Sql.in(schema, PROMOTE);
	}

	/** Promotes those that are due longest, at most {@code limit}. */
	Promotion execute(String mark, int limit) {
		List<PromotedJobs> jobs = new ArrayList<>();
		@Nullable String[] next = { null };
		this.jdbc.query(this.promote, (row) -> {
			String queue = row.getString("queue");
			if (queue == null) {
				next[0] = row.getString("mark");
			}
			else {
				jobs.add(new PromotedJobs(queue, row.getInt("jobs")));
			}
		}, mark, limit, limit);
		return new Promotion(jobs, Objects.requireNonNull(next[0]));
	}

}
