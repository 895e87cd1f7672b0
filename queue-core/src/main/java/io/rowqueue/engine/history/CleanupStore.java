package io.rowqueue.engine.history;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import org.jspecify.annotations.Nullable;

/**
 * Deletes old data of jobs other than the history: failed jobs, failed attempts, flows,
 * batches, results, unique keys, and what jobs that are gone have left in other tables.
 * All methods throw {@link org.springframework.dao.DataAccessException} if the database
 * rejects a statement or is not available.
 */
public final class CleanupStore {

	/**
	 * The oldest jobs of each queue, by the index, so that jobs to be kept are not read.
	 * The index has the time at which the last attempt was claimed; it may have failed
	 * much later. A failed job with waiting successors is kept, since they could not be
	 * decided otherwise.
	 */
	private static final String DELETE_FAILED = """
			with recursive failed as (
				(select queue from {schema}.job where indexed_state = 'failed' order by queue limit 1)
				union all
				select next.* from failed cross join lateral (
					select queue from {schema}.job where indexed_state = 'failed' and queue > failed.queue order by queue limit 1) next),
			old as materialized (
				select oldest.tid, oldest.id, oldest.unique_key
				from (
					select failed.queue, statement_timestamp() - coalesce(rule.age, ?) * interval '1 microsecond' as since
					from failed left join unnest(?::text[], ?::bigint[]) as rule (queue, age) on rule.queue = failed.queue) kept
				cross join lateral (
					select j.ctid as tid, j.id, j.unique_key from {schema}.job j
					where j.indexed_state = 'failed' and j.queue = kept.queue and j.failed_leased_at < kept.since
						and coalesce((select max(f.failed_at) from {schema}.job_failure f where f.job_id = j.id), '-infinity') < kept.since
						and (j.tracked is null or not exists (
							select from {schema}.job_dependency d join {schema}.job s on s.id = d.successor_id
							where d.predecessor_id = j.id))
					order by j.queue, j.failed_leased_at limit ? for update of j skip locked) oldest
				limit ?),
			dependency as (
				delete from {schema}.job_dependency where successor_id = any (array(select id from old))),
			kept_key as (
				update {schema}.taken_key t set unsuccessful_id = t.job_id where t.ctid = any (array(
					select k.tid from old cross join lateral (
						select k.ctid as tid from {schema}.taken_key k where k.unique_key = old.unique_key and k.job_id = old.id
						for no key update skip locked) k)))
			delete from {schema}.job where ctid = any (array(select tid from old))""";

	/**
	 * The rest of a flow is deleted when its last job has finished long enough ago.
	 */
	private static final String DELETE_FLOWS = """
			with old as materialized (
				select f.id from {schema}.flow f
				where f.created_at < clock_timestamp() - ? * interval '1 microsecond' and not exists (
					select from {schema}.flow_job m where m.flow_id = f.id and (m.state is null
						or m.ended_at >= clock_timestamp() - ? * interval '1 microsecond'))
				order by f.id limit ?),
			member as (
				delete from {schema}.flow_job where flow_id = any (array(select id from old)) returning job_id),
			result as (
				delete from {schema}.job_result r using member where r.job_id = member.job_id and not exists (
					select from {schema}.flow_job m where m.job_id = r.job_id and m.flow_id <> all (array(select id from old))))
			delete from {schema}.flow where id = any (array(select id from old))""";

	private static final String DELETE_BATCHES = """
			with old as materialized (
				select id from {schema}.batch where finished_at < clock_timestamp() - ? * interval '1 microsecond'
				order by id limit ?),
			callback as (
				delete from {schema}.batch_callback where batch_id = any (array(select id from old)))
			delete from {schema}.batch where id = any (array(select id from old))""";

	private static final String DELETE_RESULTS = """
			delete from {schema}.job_result where ctid = any (array(
				select ctid from {schema}.job_result r
				where r.kept_at < clock_timestamp() - ? * interval '1 microsecond'
					and not exists (select from {schema}.flow_job m where m.job_id = r.job_id) limit ?))""";

	private static final String DELETE_KEYS = """
			delete from {schema}.taken_key where ctid = any (array(
				select ctid from {schema}.taken_key where taken_until < statement_timestamp()
				order by taken_until limit ? for update skip locked))""";

	private static final String DELETE_FAILURES = """
			delete from {schema}.job_failure where ctid = any (array(
				select ctid from {schema}.job_failure
				where failed_at < statement_timestamp() - ? * interval '1 microsecond' order by failed_at limit ?))""";

	private static final String DELETE_OF_PARTS = "select {schema}.call_parts('retain', null)";

	/** There is no index on the time, since each report would have to update it. */
	private static final String JOB_TABLES = """
			select name from {schema}.job_table where kept_with is not null order by name""";

	/**
	 * Of a table of job_table, whose column kept_with says how long a job has its rows.
	 */
	private static final String DELETE_OF_JOBS = """
			with looked_at as materialized (
				select job_id from {schema}.%1$s where job_id > ? group by job_id order by job_id limit ?),
			deleted as (
				delete from {schema}.%1$s where job_id = any (array(
					select l.job_id from looked_at l
					where not exists (select from {schema}.job j where j.id = l.job_id)
						and not exists (select from {schema}.job_follow_up f where f.id = l.job_id)
						and (not exists (select from {schema}.job_finished h where h.id = l.job_id)
							or (select t.kept_with from {schema}.job_table t where t.name = '%1$s') <> 'history')))
				returning job_id)
			select (select job_id from looked_at order by job_id limit 1 offset ?) as last,
				exists (select from deleted) as deleted""";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs each statement in a separate transaction
	 */
	public CleanupStore(QueueDatabase database) {
		this.database = database;
	}

	/**
	 * Deletes jobs that failed permanently.
	 * @param age the minimum age
	 * @param queues the queues with a different age
	 * @param limit the maximum number of jobs
	 * @return how many were deleted
	 */
	public int deleteFailed(Duration age, Map<String, Duration> queues, int limit) {
		return this.database.update(DELETE_FAILED, (statement) -> {
			List<Map.Entry<String, Duration>> own = List.copyOf(queues.entrySet());
			statement.setLong(1, Sql.micros(age));
			statement.setArray(2, Sql.array(statement, "text", own, Map.Entry::getKey));
			statement.setArray(3, Sql.array(statement, "bigint", own, (queue) -> Sql.micros(queue.getValue())));
			statement.setInt(4, limit);
			statement.setInt(5, limit);
		});
	}

	/** Deletes unique keys that are no longer taken. */
	public int deleteKeys(int limit) {
		return this.database.update(DELETE_KEYS, limit);
	}

	/** Returns the tables whose rows go with their jobs. */
	public List<String> jobTables() {
		return this.database.query(JOB_TABLES, (row, index) -> row.getString("name"));
	}

	/**
	 * Deletes rows of jobs that are no longer kept.
	 * @param table one of {@link #jobTables()}
	 * @param after the job to begin after
	 * @param limit the maximum number of jobs to check
	 */
	public Checked deleteOfJobs(String table, long after, int limit) {
		return this.database
			.query(DELETE_OF_JOBS.formatted(table),
					(row, index) -> new Checked(row.getObject("last", Long.class), row.getBoolean("deleted")), after,
					limit, limit - 1)
			.get(0);
	}

	/** Deletes flows that finished at least this long ago. */
	public int deleteFlows(Duration age, int limit) {
		long micros = Sql.micros(age);
		return this.database.update(DELETE_FLOWS, micros, micros, limit);
	}

	/** Deletes batches that finished at least this long ago, but not their jobs. */
	public int deleteBatches(Duration age, int limit) {
		return this.database.update(DELETE_BATCHES, Sql.micros(age), limit);
	}

	/** Deletes results that were kept for successors outside of flows. */
	public int deleteResults(Duration age, int limit) {
		return this.database.update(DELETE_RESULTS, Sql.micros(age), limit);
	}

	/**
	 * Deletes a batch of the old data of each other part of the schema. The parts decide
	 * about its age.
	 * @return whether there may be more
	 */
	public boolean deleteOfParts() {
		return this.database.query(DELETE_OF_PARTS, (row, index) -> row.getBoolean(1)).get(0);
	}

	/** Deletes records of failed attempts. */
	public int deleteFailures(Duration age, int limit) {
		return this.database.update(DELETE_FAILURES, Sql.micros(age), limit);
	}

	/**
	 * What was checked of a table.
	 *
	 * @param last the last checked job; {@code null} if there are no more
	 * @param deleted whether rows were deleted
	 */
	public record Checked(@Nullable Long last, boolean deleted) {
	}

}
