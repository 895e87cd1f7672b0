package io.rowqueue.engine.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.rowqueue.engine.database.BoundedReads;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.job.QueueRanking;
import io.rowqueue.engine.lease.LaneScan;
import io.rowqueue.engine.worker.WorkerStore;

/**
 * Measures the queue once for all processes. At most {@value #MAX_COUNT} jobs of a queue
 * and state are counted; the rest is estimated from the statistics of the planner. Of
 * queues that are not shown separately, at most {@value #FEW} jobs are counted, and with
 * many lanes fewer overdue jobs of each. Of the queues that are not configured,
 * {@value QueueRanking#MAX_QUEUES} are shown separately and all others together; of
 * types, {@value #MAX_TYPES}. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
public final class MeasurementStore {

	/** The number at which counting stops and estimating begins. */
	public static final int MAX_COUNT = 10_000;

	/**
	 * The number at which counting the overdue jobs of a queue, type and priority stops.
	 */
	public static final int MAX_OVERDUE = 1000;

	/**
	 * The number at which counting the queued jobs of a queue stops that is not shown
	 * separately.
	 */
	private static final int FEW = 100;

	/** If there are more lanes than this, few overdue jobs of each are counted. */
	private static final int MANY_LANES = 500;

	/** The number at which counting the overdue jobs of one of many lanes stops. */
	private static final int FEW_OVERDUE = 20;

	/**
	 * The maximum number of types without a worker that are named, each in one of its
	 * queues before any in two.
	 */
	public static final int MAX_UNHANDLED_TYPES = 20;

	/** The number at which counting the jobs of a type without a worker stops. */
	public static final int MAX_UNHANDLED_JOBS = 1000;

	/** The maximum number of types, each in its queue, that are shown. */
	public static final int MAX_TYPES = 200;

	/** The number of the latest failed jobs of a queue whose types are counted. */
	public static final int MAX_FAILED_BY_TYPE = 1000;

	private static final String LANES = LaneScan.heads("order_at, run_at, id") + """
			,
			failed_queue as (
				(select queue from {schema}.job where indexed_state = 'failed' order by queue limit 1)
				union all
				select next.* from failed_queue cross join lateral (
					select queue from {schema}.job
					where indexed_state = 'failed' and queue > failed_queue.queue order by queue limit 1) next),
			""";

	private static final String ESTIMATES = TypeFigures.frequencies("frequency", "queue") + """
			index_rows as materialized (
				select relname, greatest(reltuples, 0) as jobs from pg_class
				where oid in ('{schema}.job_queued'::regclass, '{schema}.job_failed'::regclass,
					'{schema}.job_scheduled'::regclass, '{schema}.job_blocked'::regclass)),
			""";

	private static final String OVERDUE = """
			select from {schema}.job j
			where j.indexed_state = 'queued' and {unclaimed} and j.queue = head.queue and j.type = head.type
				and j.priority = head.priority and j.order_at < statement_timestamp() - ? * interval '1 microsecond'""";

	/** Limits are constants: with others the planner would read all jobs of a queue. */
	private static final String COUNTS = """
			queued as materialized (
				select lanes.*, counted.*
				from (select placed.*,
						case when place <= %3$s then %1$s else %4$s end as bound
					from (select queue, min(run_at) as first, (array_agg(id order by run_at, id))[1] as first_id,
							row_number() over (order by queue in (select k.queue from known k) desc, min(run_at), queue) as place
						from head group by queue) placed) lanes
				cross join lateral (
					select coalesce(sum(jobs), 0)::bigint as jobs, array_agg(type) as types, array_agg(jobs) as jobs_of_types
					from (select type, count(*) as jobs from (
							(select j.type from {schema}.job j where lanes.place <= %3$s
								and j.indexed_state = 'queued' and {unclaimed} and j.queue = lanes.queue limit %1$s + 1)
							union all
							(select j.type from {schema}.job j where lanes.place > %3$s
								and j.indexed_state = 'queued' and {unclaimed} and j.queue = lanes.queue limit %4$s + 1)) bounded
						group by type) of_type) counted),
			queued_jobs as materialized (
				select queue, place, greatest(jobs, estimated) as jobs,
					case when jobs > bound then case when estimated > jobs then '%8$s' else '%9$s' end end as kind
				from (select queued.*, case when jobs > bound and place <= %3$s then (
						select r.jobs * f.frequency / (select sum(frequency) from frequency join queued using (queue))
						from index_rows r, frequency f where r.relname = 'job_queued' and f.queue = queued.queue) end as estimated
					from queued) each),
			failed as materialized (
				select failed_queue.queue, (select count(*) from (select from {schema}.job j
					where j.indexed_state = 'failed' and j.queue = failed_queue.queue
						limit %1$s + 1) bounded) as jobs
				from failed_queue),
			failed_jobs as (
				select queue, greatest(jobs, estimated) as jobs,
					case when jobs > %1$s then case when estimated > jobs then '%8$s' else '%9$s' end end as kind
				from (select failed.*, case when jobs > %1$s then (
						select r.jobs * f.frequency / (select sum(frequency) from frequency join failed using (queue))
						from index_rows r, frequency f where r.relname = 'job_failed' and f.queue = failed.queue) end as estimated
					from failed) each),
			overdue as materialized (
				select queue, sum(case when lanes <= %5$s then (select count(*) from (%7$s limit %2$s) bounded)
					else (select count(*) from (%7$s limit %6$s) bounded) end) as jobs
				from (select head.*, count(*) over () as lanes from head) head
				where head.order_at < statement_timestamp() - ? * interval '1 microsecond' group by queue),
			scheduled as materialized (
				select queue, count(*) as jobs, sum(count(*)) over () as counted from (select queue from {schema}.job
					where indexed_state = 'scheduled' order by run_at, id limit %1$s + 1) bounded group by queue),
			blocked as materialized (
				select queue, count(*) as jobs, sum(count(*)) over () as counted from (select queue from {schema}.job
					where indexed_state = 'blocked' order by queue, id limit %1$s + 1) bounded group by queue),
			"""
		.formatted(MAX_COUNT, MAX_OVERDUE, QueueRanking.MAX_QUEUES, FEW, MANY_LANES, FEW_OVERDUE, OVERDUE,
				Figure.ESTIMATE, Figure.AT_LEAST);

	private static final String FIGURES = """
			figure (name, queue, state, value, text) as (
				select 'jobs', queue, 'queued', jobs, kind from queued_jobs
				union all
				select 'oldest.age', queue, null, extract(epoch from statement_timestamp() - first), first_id::text from queued
				union all
				select 'unhandled', queue, type, extract(epoch from clock_timestamp() - first),
					(select count(*) from (select from {schema}.job j
						where j.indexed_state = 'queued' and {unclaimed} and j.queue = unhandled.queue and j.type = unhandled.type
						limit %7$s) bounded)::text
				from (
					select queue, type, min(run_at) as first from head
					where not exists (select from {schema}.worker w where w.dead_at is null and head.type = any (w.types)
						and w.queues && array[head.queue, '*'])
					group by queue, type order by row_number() over (partition by type order by min(run_at)), first limit %4$s) unhandled
				union all
				select 'jobs', queue, 'failed', jobs, kind from failed_jobs
				union all
				select 'jobs', queue, 'overdue', jobs, null from overdue
				union all
				select 'jobs', queue, 'scheduled', case when counted <= %1$s then jobs
					else greatest(jobs, (select r.jobs from index_rows r where r.relname = 'job_scheduled') * jobs / counted) end,
					case when counted > %1$s then '%6$s' end
				from scheduled
				union all
				select 'jobs', queue, 'blocked', case when counted <= %1$s then jobs
					else greatest(jobs, (select r.jobs from index_rows r where r.relname = 'job_blocked') * jobs / counted) end,
					case when counted > %1$s then '%6$s' end
				from blocked
				union all
				select 'jobs', queue, state, sum(jobs), null from leased group by 2, 3
				union all
				select 'workers', null, null, count(*), null from {schema}.worker
				where dead_at is null and heartbeat_at + idle_interval > clock_timestamp() - interval '%2$s seconds'
				union all
				select 'limit.held', name, kind, held, null from {schema}.limits where held is not null
				union all
				select 'limit.concurrency', name, kind, concurrency, null from {schema}.job_limit
				where concurrency is not null
				union all
				select 'limit.waiting', null, null, count(*), null from (select from {schema}.job
					where limit_key is not null and indexed_state = 'blocked' and awaits_key limit %1$s) bounded
				union all
				%5$s
				union all
				select 'dead.rows', null, null, n_dead_tup, null from pg_stat_all_tables
				where relid = '{schema}.job'::regclass
				union all
				select 'table.bytes', null, null, pg_total_relation_size('{schema}.job'), null
				union all
				select 'index', null, state, bytes, name from (%9$s) troubles
				union all
				(select 'horizon.age', null, kind, age, who from (%3$s) pin%8$s1))
			"""
		.formatted(MAX_COUNT, WorkerStore.LIVING_SECONDS, HorizonStore.PINS, MAX_UNHANDLED_TYPES,
				OrchestrationFigures.FIGURES, Figure.ESTIMATE, MAX_UNHANDLED_JOBS, HorizonStore.OLDEST_FIRST,
				IndexStore.troubles());

	private static final String SHOWN = """
			,
			seen as (
				select queue, case name when 'oldest.age' then value end as age, case name when 'jobs' then value end as jobs
				from figure where name in ('jobs', 'oldest.age')),
			"""
			+ QueueRanking.RANKED + TypeFigures.TABLES
			+ """
					,
					shown (name, queue, state, value, text, rank) as (
						(select name, queue, state, value, text, 0 as rank from figure where name not in ('jobs', 'oldest.age')
						order by (queue is null) desc, value desc limit 2000)
						union all
						select name, queue, state, value, text, rank from figure join ranked using (queue)
						where name in ('jobs', 'oldest.age') and rank <= %1$s
						union all
						select name, '%2$s', state, greatest(sum(value), case when state = 'queued'
								and (select bool_or(jobs > bound) from queued where place > %1$s)
							then (select r.jobs from index_rows r where r.relname = 'job_queued')
								- (select sum(jobs) from queued_jobs where place <= %1$s) end),
							case when state = 'queued' and (select bool_or(jobs > bound) from queued where place > %1$s)
								then '%3$s' else max(text) end,
							%1$s + 1 from figure join ranked using (queue)
						where name = 'jobs' and rank > %1$s group by name, state
						union all
						(select name, '%2$s', state, value, text, %1$s + 1 from figure join ranked using (queue)
						where name = 'oldest.age' and rank > %1$s order by value desc limit 1)
						union all
						select name, queue, state, value, type, rank from type_figure)
					"""
				.formatted(QueueRanking.MAX_QUEUES, Figure.OTHER_QUEUES, Figure.ESTIMATE);

	private static final String MEASURE = LANES + OrchestrationFigures.FLOWS + ESTIMATES + COUNTS + TypeFigures.LEASED
			+ FIGURES + SHOWN
			+ """
					insert into {schema}.measurement (measured_at, figures)
					select clock_timestamp(), jsonb_agg(jsonb_build_object('name', name, 'queue', queue, 'state', state,
						'value', value, 'text', text) order by rank)
					from shown
					on conflict (only_row) do update set measured_at = excluded.measured_at, figures = excluded.figures""";

	/** If a measurement is ahead of the clock, the clock was set back by that time. */
	private static final String READ = """
			select abs(extract(epoch from clock_timestamp() - m.measured_at)) as age, f.*
			from {schema}.measurement m cross join lateral
				jsonb_to_recordset(m.figures) f (name text, queue text, state text, value float8, text text)""";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs each statement in a separate transaction
	 */
	public MeasurementStore(QueueDatabase database) {
		this.database = database;
	}

	/**
	 * Measures the queue for all processes.
	 * @param overdue how long after its deadline a queued job is overdue
	 */
	public void measure(Duration overdue) {
		long micros = Sql.micros(overdue);
		BoundedReads.run(this.database, (database) -> database.update(MEASURE, micros, micros, micros));
	}

	/**
	 * Returns the latest measurement; empty if there was none since a crash of the
	 * server.
	 */
	public Optional<Measurement> read() {
		List<Figure> figures = new ArrayList<>();
		List<Duration> age = this.database.query(READ, (row, index) -> {
			figures.add(new Figure(row.getString("name"), row.getString("queue"), row.getString("state"),
					row.getDouble("value"), row.getString("text")));
			return Duration.ofMillis(Math.round(row.getDouble("age") * 1000));
		});
		return age.isEmpty() ? Optional.empty() : Optional.of(new Measurement(age.get(0), List.copyOf(figures)));
	}

}
