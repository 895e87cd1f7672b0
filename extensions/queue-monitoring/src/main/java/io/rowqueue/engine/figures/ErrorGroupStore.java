package io.rowqueue.engine.figures;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import org.jspecify.annotations.Nullable;

/**
 * Groups failed attempts by the fingerprints of their errors. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
public final class ErrorGroupStore {

	/** How many failures one statement groups. */
	static final int MAX_FAILURES = 20_000;

	/** Further new groups of one statement are not kept. */
	private static final int MAX_NEW_GROUPS = 200;

	/** The latest failures of a group that are read to find its jobs. */
	public static final int MAX_READ = 5000;

	/** Counting open groups stops here. */
	public static final int MAX_OPEN = 1000;

	/**
	 * Failures are counted ten seconds after they were written: a transaction that
	 * commits later than that is not counted. A mark ahead of the clock was written
	 * before the server's clock went back. A process that waits for another one here sees
	 * the mark that the other one has set. The errors of known groups are not read.
	 * Groups are locked in the order of their ids, as when a job is erased.
	 */
	private static final String GROUP = """
			with since as materialized (
				select case when mark > clock_timestamp() then clock_timestamp() - ? * interval '1 microsecond'
					else coalesce(mark, '-infinity') end as at, mark > clock_timestamp() as is_ahead
				from {schema}.maintenance_task where name = 'errors' for no key update),
			fresh as materialized (
				select f.error_group, f.job_id, f.failed_at, f.worker_id from {schema}.job_failure f
				where f.failed_at > (select at from since) and f.failed_at <= clock_timestamp() - ? * interval '1 microsecond'
				order by f.failed_at fetch first %1$s rows with ties),
			seen as materialized (
				select error_group as id, count(*) as failures, min(failed_at) as first_at, max(failed_at) as last_at,
					(array_agg(job_id order by failed_at))[1] as first_job,
					(array_agg(job_id order by failed_at desc))[1] as last_job,
					array_remove(array_agg(distinct p.version), null) as versions
				from fresh left join {schema}.process p using (worker_id)
				where error_group is not null group by error_group),
			locked as materialized (
				select g.id from {schema}.error_group g where g.id = any (array(select id from seen)) order by g.id
				for no key update),
			known as (
				update {schema}.error_group g
				set last_at = seen.last_at, last_job = seen.last_job, failures = g.failures + seen.failures,
					versions = (select array(select version from unnest(g.versions) with ordinality as old (version, i)
							where version <> all (seen.versions) order by i) || seen.versions)[
								greatest(1, cardinality(g.versions) + cardinality(seen.versions) - 19) :],
					status = case when g.status = 'resolved' and seen.last_at > g.status_at then 'open' else g.status end,
					reopened_at = case when g.status = 'resolved' and seen.last_at > g.status_at then seen.last_at
						else g.reopened_at end
				from seen join locked using (id) where g.id = seen.id),
			new as (
				insert into {schema}.error_group (id, type, first_at, last_at, last_job, failures, versions, sample)
				select seen.id, job.type, seen.first_at, seen.last_at, seen.last_job, seen.failures, seen.versions, f.error
				from (select * from seen where not exists (select from {schema}.error_group g where g.id = seen.id)
					order by failures desc limit %2$s) seen
				join {schema}.job_failure f on f.job_id = seen.first_job and f.failed_at = seen.first_at
				cross join lateral (
					select coalesce((select j.type from {schema}.job j where j.id = seen.first_job),
						(select d.type from {schema}.job_finished d where d.id = seen.first_job limit 1), '') as type) job
				order by seen.id on conflict do nothing),
			by_hour as (
				insert into {schema}.tally as t (seconds, kind, name, at, version, failed)
				select 3600, 'error', lpad(to_hex(error_group), 16, '0'), date_trunc('hour', failed_at, 'UTC') as hour, '', count(*)
				from fresh where error_group is not null group by error_group, hour order by 3, 4
				on conflict (seconds, kind, name, at, version) do update set failed = t.failed + excluded.failed)
			update {schema}.maintenance_task t set mark = coalesce((select max(failed_at) from fresh), since.at)
			from since where t.name = 'errors' and (exists (select from fresh) or since.is_ahead)
			returning (select count(*) from fresh) as failures"""
		.formatted(MAX_FAILURES, MAX_NEW_GROUPS);

	/** The columns of a group, besides its sample. */
	static final String COLUMNS = """
			id, type, first_at, last_at, last_job, failures, versions, status, status_by, status_at, reopened_at, note""";

	private static final String FIND = "select " + COLUMNS + ", sample from {schema}.error_group where id = ?";

	private static final String COUNT_OPEN = """
			select count(*) as open from (select from {schema}.error_group
				where status = 'open' and last_at > clock_timestamp() - interval '1 day' limit %s) bounded"""
		.formatted(ErrorGroupStore.MAX_OPEN);

	private static final String LATEST = """
			(select job_id, failed_at, leased_at, attempt, worker_id from {schema}.job_failure
				where error_group = ? order by failed_at desc limit %s)""";

	private static final String JOBS = """
			select f.job_id, f.failed_at, f.attempt, f.worker_id,
				coalesce(j.state, d.state)::text as state, coalesce(j.queue, d.queue) as queue
			from (
				select * from (select distinct on (job_id) * from %s each order by job_id, failed_at desc) latest
				order by failed_at desc limit ?) f
			left join lateral (select state, queue from {schema}.job where id = f.job_id offset 0) j on true
			left join lateral (
				select state, queue from {schema}.job_finished
				where id = f.job_id and finished_at >= f.failed_at and j.state is null limit 1) d on true
			order by f.failed_at desc""".formatted(LATEST.formatted(500));

	/**
	 * Jobs whose last attempt failed with this error, the latest first. The offset keeps
	 * the planner from reading all jobs, as it would if most of them had failed.
	 */
	private static final String FAILED = """
			select j.id from %s f cross join lateral (
				select id from {schema}.job
				where id = f.job_id and failed_leased_at = f.leased_at and state = 'failed' offset 0) j
			order by f.failed_at desc limit ?""".formatted(LATEST.formatted(MAX_READ));

	private static final String SET_STATUS = """
			update {schema}.error_group
			set status = ?, status_by = ?, status_at = clock_timestamp(), reopened_at = null, note = coalesce(?, note)
			where id = ?""";

	private static final String SET_NOTE = "update {schema}.error_group set note = ? where id = ?";

	private static final String DELETE = """
			delete from {schema}.error_group where id = any (array(
				select id from {schema}.error_group
				where last_at < clock_timestamp() - ? * interval '1 microsecond' order by last_at limit ?
				for update skip locked))""";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs each statement in a separate transaction
	 */
	public ErrorGroupStore(QueueDatabase database) {
		this.database = database;
	}

	/**
	 * Groups failures that were written since the last call, of any process.
	 * @param age how long ago failures were written at least
	 * @return how many failures were read
	 */
	int group(Duration age) {
		long micros = Sql.micros(age);
		return this.database.query(GROUP, (row, index) -> row.getInt("failures"), micros, micros)
			.stream()
			.findFirst()
			.orElse(0);
	}

	/** Deletes groups that were last seen this long ago, at most {@code limit}. */
	int delete(Duration age, int limit) {
		return this.database.update(DELETE, Sql.micros(age), limit);
	}

	/** Finds groups, those that were seen last first. Their samples are cut. */
	public ErrorGroupPage list(ErrorGroupFilter filter, @Nullable String cursor, int size) {
		return new ErrorGroupListStatement(this.database, filter).page(cursor, size);
	}

	/** Returns a group. */
	public Optional<ErrorGroup> find(long id) {
		return this.database.first(FIND, (row, index) -> group(row), id);
	}

	/**
	 * Returns how many open groups were seen in the last day, at most {@value #MAX_OPEN}.
	 */
	public int countOpen() {
		return this.database.query(COUNT_OPEN, (row, index) -> row.getInt("open")).get(0);
	}

	/** Returns the jobs that failed with this error last. */
	public List<ErrorGroupJob> jobs(long id, int limit) {
		return this.database.query(JOBS, (row, index) -> new ErrorGroupJob(row.getLong("job_id"),
				row.getString("queue"), row.getString("state"), row.getInt("attempt"), Sql.time(row, "failed_at")), id,
				limit);
	}

	/**
	 * Returns the jobs that have failed for good with this error, among its latest
	 * {@value #MAX_READ} failures.
	 */
	public List<Long> failedJobs(long id, int limit) {
		return this.database.query(FAILED, (row, index) -> row.getLong("id"), id, limit);
	}

	/**
	 * Changes the status of a group.
	 * @param status {@code open}, {@code resolved} or {@code ignored}
	 * @param who who changes it
	 * @param note a new note, or {@code null} to keep it
	 * @return whether there is such a group
	 */
	public boolean setStatus(long id, String status, String who, @Nullable String note) {
		return this.database.update(SET_STATUS, status, who, note, id) == 1;
	}

	/** Changes the note of a group; returns whether there is such a group. */
	public boolean setNote(long id, @Nullable String note) {
		return this.database.update(SET_NOTE, note, id) == 1;
	}

	static ErrorGroup group(ResultSet row) throws SQLException {
		return new ErrorGroup(row.getLong("id"), Objects.requireNonNull(row.getString("type")),
				Sql.time(row, "first_at"), Sql.time(row, "last_at"), row.getLong("last_job"), row.getLong("failures"),
				List.of((String[]) row.getArray("versions").getArray()),
				Objects.requireNonNull(row.getString("sample")), Objects.requireNonNull(row.getString("status")),
				row.getString("status_by"), Sql.instant(row, "status_at"), Sql.instant(row, "reopened_at"),
				row.getString("note"));
	}

}
