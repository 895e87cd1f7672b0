package io.rowqueue.engine.measure;

import io.rowqueue.engine.job.QueueRanking;

/**
 * Measures queues by the types of their jobs, to show which type is behind or fails. The
 * costs do not depend on the number of jobs: the lanes of a queue are known already, and
 * if its jobs are counted, those of each type are counted as well. In a queue with more
 * jobs, only the first ones of each type are counted; the rest is distributed among the
 * types by their frequency in the statistics of the planner.
 */
final class TypeFigures {

	/**
	 * The number at which counting the jobs of a type stops, in a queue that is
	 * estimated.
	 */
	static final int MAX_COUNTED = 200;

	/** Jobs that workers hold: {@code leased} (queue, type, state, jobs). */
	static final String LEASED = """
			leased as materialized (
				select j.queue, j.type, case when w.id is null or w.dead_at is not null then 'stuck' else j.state::text end as state,
					count(*) as jobs
				from {schema}.leased_jobs j left join {schema}.worker w on w.id = j.worker_id group by 1, 2, 3),
			""";

	private static final String FREQUENCIES = """
			%1$s as materialized (
				select each.%2$s, each.frequency
				from pg_stats s cross join lateral
					unnest(s.most_common_vals::text::text[], s.most_common_freqs) each (%2$s, frequency)
				where s.schemaname = (select n.nspname from pg_class c join pg_namespace n on n.oid = c.relnamespace
						where c.oid = '{schema}.job'::regclass)
					and s.tablename = 'job' and s.attname = '%2$s'),
			""";

	/**
	 * From {@code head}, {@code leased}, {@code failed}, {@code figure} and the tables of
	 * {@link QueueRanking} to {@code type_figure}, a figure with its rank. Types of live
	 * workers come first, so that types that are created by enqueueing cannot hide them.
	 */
	static final String TABLES = """
			,
			handled as materialized (
				select array(select unnest(types) from {schema}.worker where dead_at is null) as types),
			""" + frequencies("type_frequency", "type")
			+ """
					queued_type as materialized (
						select shown.*, counted.jobs as all_jobs,
							coalesce(counted.jobs, (select count(*) from (select from {schema}.job j
								where j.indexed_state = 'queued' and {unclaimed} and j.queue = shown.queue and j.type = shown.type
								limit %4$s + 1) bounded)) as jobs,
							coalesce((select f.frequency from type_frequency f where f.type = shown.type), 1e-9) as frequency
						from (select queue, type, min(run_at) as first from head join ranked using (queue)
							where rank <= %3$s group by queue, type
							order by type = any ((select types from handled)::text[]) desc,
								queue in (select k.queue from known k) desc, 3 limit %2$s) shown
						left join (select q.queue, each.type, each.jobs
							from queued q cross join lateral unnest(q.types, q.jobs_of_types) each (type, jobs)
							where q.jobs <= %5$s) counted using (queue, type)),
					queued_share as (
						select q.queue, q.type, case when q.all_jobs is not null or q.jobs <= %4$s then q.jobs
								else greatest(q.jobs, (total.value - coalesce(sum(q.jobs) filter (where q.jobs <= %4$s) over queue, 0))
									* q.frequency / sum(q.frequency) filter (where q.jobs > %4$s) over queue) end as jobs
						from queued_type q join figure total on total.name = 'jobs' and total.state = 'queued' and total.queue = q.queue
						window queue as (partition by q.queue)),
					failed_share as (
						select f.queue, sample.type, case when sum(sample.jobs) over queue < %1$s then sample.jobs
								else total.value * sample.jobs / sum(sample.jobs) over queue end as jobs
						from (select queue from failed join ranked using (queue) where rank <= %3$s) f
						join figure total on total.name = 'jobs' and total.state = 'failed' and total.queue = f.queue
						cross join lateral (
							select type, count(*) as jobs from (select j.type from {schema}.job j
								where j.indexed_state = 'failed' and j.queue = f.queue order by j.failed_leased_at desc nulls last
								limit %1$s) latest group by type) sample
						window queue as (partition by f.queue)),
					type_figure as (
						select each.*, row_number() over (order by each.type = any ((select types from handled)::text[]) desc,
							each.value desc) as rank
						from (
							select 'type.jobs' as name, queue, 'queued' as state, jobs as value, type from queued_share
							union all
							select 'type.jobs', queue, 'failed', jobs, type from failed_share
							union all
							select 'type.jobs', queue, state, leased.jobs, type from leased join ranked using (queue) where ranked.rank <= %3$s
							union all
							select 'type.oldest.age', queue, null, extract(epoch from clock_timestamp() - first), type
							from queued_type) each
						order by rank limit 5 * %2$s)
					"""
				.formatted(MeasurementStore.MAX_FAILED_BY_TYPE, MeasurementStore.MAX_TYPES, QueueRanking.MAX_QUEUES,
						MAX_COUNTED, MeasurementStore.MAX_COUNT);

	private TypeFigures() {
	}

	/** The frequencies of the values of a column of {@code job}, from the statistics. */
	static String frequencies(String table, String column) {
		return FREQUENCIES.formatted(table, column);
	}

}
