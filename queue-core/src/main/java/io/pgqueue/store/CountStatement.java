package io.pgqueue.store;

import java.util.List;

import io.pgqueue.schema.SchemaName;
import io.pgqueue.support.BoundedNames;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Counts the active jobs by queue and state, each count bounded. Beyond
 * {@value KnownQueues#MOST} queues the others are summed.
 */
final class CountStatement {

	private static final String COUNT = """
			with recursive queued as (
				(select queue from {schema}.job where indexed_state = 'queued' and {unclaimed} order by queue limit 1)
				union all
				select next.* from queued cross join lateral (
					select queue from {schema}.job
					where indexed_state = 'queued' and {unclaimed} and queue > queued.queue order by queue limit 1) next),
			failed as (
				(select queue from {schema}.job where indexed_state = 'failed' order by queue limit 1)
				union all
				select next.* from failed cross join lateral (
					select queue from {schema}.job where indexed_state = 'failed' and queue > failed.queue order by queue limit 1) next),
			blocked as (
				(select queue from {schema}.job where indexed_state = 'blocked' order by queue limit 1)
				union all
				select next.* from blocked cross join lateral (
					select queue from {schema}.job where indexed_state = 'blocked' and queue > blocked.queue order by queue limit 1) next),
			counted (queue, state, jobs) as (
			select queue, 'queued', (select count(*) from (select from {schema}.job j
				where j.indexed_state = 'queued' and {unclaimed} and j.queue = queued.queue limit %1$d) bounded) as jobs from queued
			union all
			select queue, 'failed', (select count(*) from (select from {schema}.job j
				where j.indexed_state = 'failed' and j.queue = failed.queue limit %1$d) bounded) from failed
			union all
			select queue, 'blocked', (select count(*) from (select from {schema}.job j
				where j.indexed_state = 'blocked' and j.queue = blocked.queue limit %1$d) bounded) from blocked
			union all
			select queue, 'scheduled', count(*) from (select queue from {schema}.job
				where indexed_state = 'scheduled' order by run_at, id limit %1$d) bounded group by queue
			union all
			select j.queue, case when w.id is null or w.dead_at is not null then 'stuck' else j.state::text end, count(*)
				from {schema}.leased_jobs j left join {schema}.worker w on w.id = j.worker_id group by 1, 2),
			seen as (select queue, null::float8 as age, jobs from counted),
			"""
		.formatted(JobCount.MOST) + KnownQueues.RANKED
			+ """
					select queue, state, jobs from counted join ranked using (queue) where rank <= %1$d
					union all
					select '%2$s', state, sum(jobs) from counted join ranked using (queue) where rank > %1$d group by state"""
				.formatted(KnownQueues.MOST, BoundedNames.OTHERS);

	private final JdbcOperations jdbc;

	private final String count;

	CountStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.count = Sql.in(schema, COUNT);
	}

	List<JobCount> execute() {
		return this.jdbc.query(this.count,
				(row, index) -> new JobCount(row.getString("queue"), row.getString("state"), row.getLong("jobs")));
	}

}
