package io.rowqueue.engine.admin;

import java.util.List;

import io.rowqueue.admin.JobCount;
import io.rowqueue.engine.database.BoundedReads;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.job.QueueRanking;

/** Counts the active jobs by queue and state, up to a number. */
final class JobCountStatement {

	/** Stands for all further queues. */
	private static final String OTHERS = "others";

	/**
	 * The number at which counting the jobs of a queue stops that is not shown
	 * separately.
	 */
	private static final int FEW = 100;

	/**
	 * Counts the jobs of each queue in a state: a few of each, and of those that are
	 * shown up to the maximum.
	 */
	private static final String COUNTED = """
			select queue, '%1$s', case when jobs <= %2$s or place > %4$s then jobs
				else (select count(*) from (select from {schema}.job j
					where j.indexed_state = '%1$s' %5$s and j.queue = ranked.queue limit %3$s) counted) end as jobs
			from (
				select queue, jobs, row_number() over (order by queue in (select k.queue from known k) desc, jobs desc, queue) as place
				from (
					select queue, (select count(*) from (select from {schema}.job j
						where j.indexed_state = '%1$s' %5$s and j.queue = %1$s.queue limit %2$s + 1) counted) as jobs
					from %1$s) each) ranked
			""";

	/**
	 * Each count is bounded. If there are more than {@value QueueRanking#MAX_QUEUES}
	 * queues, the others are summed, and few jobs of each are counted.
	 */
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
			%2$s
			union all
			%3$s
			union all
			%4$s
			union all
			select queue, 'scheduled', count(*) from (select queue from {schema}.job
				where indexed_state = 'scheduled' order by run_at, id limit %1$s) bounded group by queue
			union all
			select j.queue, case when w.id is null or w.dead_at is not null then 'stuck' else j.state::text end, count(*)
				from {schema}.leased_jobs j left join {schema}.worker w on w.id = j.worker_id group by 1, 2),
			seen as (select queue, null::float8 as age, jobs from counted),
			"""
		.formatted(JobCount.MAX_COUNT, counted("queued", "and {unclaimed}"), counted("failed", ""),
				counted("blocked", ""))
			+ QueueRanking.RANKED
			+ """
					select queue, state, jobs from counted join ranked using (queue) where rank <= %1$s
					union all
					select '%2$s', state, sum(jobs) from counted join ranked using (queue) where rank > %1$s group by state"""
				.formatted(QueueRanking.MAX_QUEUES, OTHERS);

	private final QueueDatabase worker;

	JobCountStatement(QueueDatabase worker) {
		this.worker = worker;
	}

	private static String counted(String state, String condition) {
		return COUNTED.formatted(state, FEW, JobCount.MAX_COUNT, QueueRanking.MAX_QUEUES, condition);
	}

	/** Counts the active jobs by queue and state. */
	List<JobCount> count() {
		return BoundedReads.run(this.worker, (database) -> database.query(COUNT,
				(row, index) -> new JobCount(row.getString("queue"), row.getString("state"), row.getLong("jobs"))));
	}

}
