package io.pgqueue.store;

import java.util.List;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Finds what waits for a worker that nobody has started: one index probe for each queue
 * and type that waits, and a bounded count of those that nobody can run.
 */
final class UnhandledStatement {

	private static final String UNHANDLED = """
			with recursive waiting as (
				(select queue, type from {schema}.job where indexed_state = 'queued' and {unclaimed} order by queue, type limit 1)
				union all
				select next.* from waiting cross join lateral (
					select queue, type from {schema}.job
					where indexed_state = 'queued' and {unclaimed} and (queue, type) > (waiting.queue, waiting.type)
					order by queue, type limit 1) next)
			select unhandled.queue, unhandled.type, found.jobs, found.since
			from (
				select queue, type from waiting where not exists (
					select from {schema}.worker w
					where w.dead_at is null and waiting.type = any (w.types)
						and (waiting.queue = any (w.queues) or '*' = any (w.queues))) offset 0) unhandled
			cross join lateral (
				select count(*) as jobs, min(run_at) as since from (
					select run_at from {schema}.job j
					where j.indexed_state = 'queued' and {unclaimed} and j.queue = unhandled.queue and j.type = unhandled.type
					limit %d) bounded) found
			where found.jobs > 0
			order by unhandled.queue, unhandled.type"""
		.formatted(JobCount.MOST);

	private final JdbcOperations jdbc;

	private final String unhandled;

	UnhandledStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.unhandled = Sql.in(schema, UNHANDLED);
	}

	List<UnhandledJobs> execute() {
		return this.jdbc.query(this.unhandled, (row, index) -> new UnhandledJobs(row.getString("queue"),
				row.getString("type"), row.getLong("jobs"), Sql.time(row, "since")));
	}

}
