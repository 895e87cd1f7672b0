package io.rowqueue.engine.admin;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

import io.rowqueue.admin.FailureView;
import io.rowqueue.admin.JobCount;
import io.rowqueue.admin.LaneView;
import io.rowqueue.admin.QueueOverview;
import io.rowqueue.admin.RunningView;
import io.rowqueue.admin.UnhandledJobs;
import io.rowqueue.admin.WorkerView;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.lease.LaneScan;
import org.jspecify.annotations.Nullable;

/**
 * Reads the overview. Every list is bounded. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
public final class OverviewStore {

	/** The maximum number of rows of each list. */
	static final int MAX_RESULTS = QueueOverview.MAX_RESULTS;

	private static final String WORKERS = """
			select w.id, w.name, w.started_at, w.dead_at, w.queues, w.types, w.session_locked,
				greatest(extract(epoch from clock_timestamp() - w.heartbeat_at - w.idle_interval), 0) as silence,
				(select coalesce(sum(slots.value::integer), 0) from jsonb_each_text(w.slots) slots) as slots,
				{slots} as queue_slots, extract(epoch from w.lease) as lease,
				(select count(*) from {schema}.leased_jobs j where j.worker_id = w.id) as held, w.quiet
			from {schema}.worker w order by w.dead_at nulls first, w.started_at desc, w.id limit ?""";

	private static final String LANES = LaneScan.heads("run_at, order_at, id") + """

			select queue, type, priority, id, extract(epoch from clock_timestamp() - run_at) as age,
				extract(epoch from order_at - run_at) as tolerance,
				(select count(*) from {schema}.worker w where w.dead_at is null and head.type = any (w.types)
					and w.queues && array[head.queue, '*']) as workers
			from head where queue = coalesce(?, queue) and type = coalesce(?, type) order by run_at limit ?""";

	private static final String RUNNING = """
			select id, queue, type, attempt, worker_id, cancel_requested,
				extract(epoch from clock_timestamp() - leased_at) as age
			from {schema}.leased_jobs where state = 'running' order by leased_at limit ?""";

	/**
	 * Each job is looked up by its id: a merge with the table would read all jobs before
	 * the first one that has failed, and the planner expects few of them.
	 */
	private static final String FAILURES = """
			select f.job_id, coalesce(j.queue, d.queue) as queue, coalesce(j.type, d.type) as type,
				coalesce(j.state, d.state)::text as state, f.attempt, f.leased_at, f.failed_at, f.worker_id, f.error
			from (select * from {schema}.job_failure order by failed_at desc limit ?) f
			left join lateral (select id, queue, type, state from {schema}.job where id = f.job_id limit 1) j on true
			left join lateral (
				select queue, type, state from {schema}.job_finished where id = f.job_id and j.id is null limit 1) d on true
			order by f.failed_at desc""";

	/**
	 * One index probe for each queue and type with waiting jobs, and a bounded count of
	 * the jobs that no worker can run.
	 */
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
					limit %s) bounded) found
			where found.jobs > 0
			order by unhandled.queue, unhandled.type"""
		.formatted(JobCount.MAX_COUNT);

	/**
	 * Whether a live worker, or the latest measurement, names a queue, a queue of a
	 * class, or a type.
	 */
	private static final String KNOWN = """
			with asked (kind, name) as (values (?, ?)),
			known (name) as (
				select unnest(case asked.kind when 'queue' then w.queues else w.types end) from {schema}.worker w cross join asked
				where w.dead_at is null
				union all
				select case asked.kind when 'queue' then f.queue else f.state end
				from asked cross join {schema}.measurement m
				cross join lateral jsonb_to_recordset(m.figures) f (name text, queue text, state text)
				where f.name = case asked.kind when 'queue' then 'jobs' else 'unhandled' end)
			select exists (select from known k
				where asked.name in (k.name, case asked.kind when 'queue' then {schema}.queue_class(k.name) end))
			from asked""";

	private static final String VERSION = """
			select coalesce(max(version), 0) from {schema}.schema_version where part = 'core'""";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs each statement in a separate transaction
	 */
	public OverviewStore(QueueDatabase database) {
		this.database = database;
	}

	/**
	 * Returns the registered workers, the live ones first, and the youngest of them
	 * first.
	 */
	public List<WorkerView> workers(int limit) {
		return this.database.query(WORKERS,
				(row, index) -> new WorkerView(row.getLong("id"), row.getString("name"), Sql.time(row, "started_at"),
						seconds(row.getDouble("silence")), Sql.instant(row, "dead_at"),
						row.getBoolean("session_locked"), texts(row, "queues"), texts(row, "types"),
						row.getInt("slots"), row.getInt("held"), row.getBoolean("quiet"),
						Sql.numbers(row, "queue_slots"), seconds(row.getDouble("lease"))),
				limit);
	}

	/**
	 * Returns the lanes with queued jobs, the longest waiting first: of a queue, of a
	 * type, or all.
	 */
	public List<LaneView> lanes(@Nullable String queue, @Nullable String type) {
		return this.database.query(LANES,
				(row, index) -> new LaneView(row.getString("queue"), row.getString("type"), row.getInt("priority"),
						seconds(row.getDouble("age")), seconds(row.getDouble("tolerance")), row.getLong("id"),
						row.getInt("workers")),
				queue, type, MAX_RESULTS);
	}

	/** Returns the running jobs, the longest running first. */
	public List<RunningView> running(int limit) {
		return this.database.query(RUNNING,
				(row, index) -> new RunningView(row.getLong("id"), row.getString("queue"), row.getString("type"),
						row.getInt("attempt"), seconds(row.getDouble("age")), row.getLong("worker_id"),
						row.getBoolean("cancel_requested")),
				Math.min(limit, MAX_RESULTS));
	}

	/** Returns the latest failed attempts, the latest first. */
	public List<FailureView> failures(int limit) {
		return this.database.query(FAILURES,
				(row, index) -> new FailureView(row.getLong("job_id"), row.getString("queue"), row.getString("type"),
						row.getString("state"), row.getInt("attempt"), Sql.instant(row, "leased_at"),
						Sql.time(row, "failed_at"), row.getObject("worker_id", Long.class), row.getString("error")),
				Math.min(limit, MAX_RESULTS));
	}

	/** Returns the installed version of the schema. */
	public int schemaVersion() {
		return this.database.query(VERSION, (row, index) -> row.getInt(1)).get(0);
	}

	private static Duration seconds(double seconds) {
		return Duration.ofMillis(Math.round(seconds * 1000));
	}

	private static List<String> texts(ResultSet row, String column) throws SQLException {
		Array array = row.getArray(column);
		return List.of((String[]) array.getArray());
	}

	/** Counts the active jobs by queue and state. */
	public List<JobCount> count() {
		return new JobCountStatement(this.database).count();
	}

	/** Returns the due jobs that no live worker can run, by queue and type. */
	public List<UnhandledJobs> unhandled() {
		return this.database.query(UNHANDLED, (row, index) -> new UnhandledJobs(row.getString("queue"),
				row.getString("type"), row.getLong("jobs"), Sql.time(row, "since")));
	}

	/**
	 * Returns whether a live worker, or the latest measurement, names a queue or type.
	 */
	boolean isKnown(String kind, String name) {
		return this.database.query(KNOWN, (row, index) -> row.getBoolean(1), kind, name).contains(true);
	}

}
