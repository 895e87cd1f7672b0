package io.rowqueue.engine.operation;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

import io.rowqueue.admin.filter.JobFilter;
import io.rowqueue.admin.operation.BulkOperation;
import io.rowqueue.admin.operation.JobChange;
import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import io.rowqueue.engine.database.WhenDue;
import org.jspecify.annotations.Nullable;

/**
 * Operations on all jobs of a filter: the jobs that each has selected, and how far it has
 * come. Each change is made only by the process that owns the operation. All methods
 * throw {@link org.springframework.dao.DataAccessException} if the database rejects a
 * statement or is not available.
 */
public final class BulkStore {

	/** When there is an operation to carry out, or to remove the selected jobs of. */
	static final WhenDue UNFINISHED = new WhenDue("""
			(select '-infinity'::timestamptz from {schema}.operation where has_jobs limit 1)""");

	/** How many selected jobs of a stopped operation are removed at once. */
	private static final int MAX_REMOVED = 10_000;

	/** Wakes the processes that carry it out. */
	private static final String START = """
			with started as (
				insert into {schema}.operation (who, via, address, action, kind, name, reason, parameters, state, has_jobs,
					filter, max_jobs)
				values (?, ?, ?, ?, 'jobs', '', ?, jsonb_strip_nulls(jsonb_build_object('delay', ?::text, 'priority', ?::integer)),
					'running', true, ?, ?)
				returning id)
			select id, {schema}.wake_up(null) from started""";

	/**
	 * An owner that has not reported for some time has ended. The operation that was
	 * touched least recently is the next, so that a large one does not delay the others.
	 */
	private static final String TAKE = """
			update {schema}.operation set owner = ?, touched_at = clock_timestamp() where id = (
				select id from {schema}.operation
				where has_jobs and (owner is null or owner = ? or touched_at > clock_timestamp()
					or touched_at < clock_timestamp() - ? * interval '1 microsecond')
				order by touched_at nulls first, id limit 1 for update skip locked)
			returning id, at, action, parameters ->> 'delay' as delay, (parameters ->> 'priority')::integer as priority, filter,
				max_jobs - coalesce(selected, 0) as room, cursor, selected_at is not null as is_selected,
				state = 'running' as is_running, clock_timestamp() as now""";

	private static final String SELECT = """
			with own as (
				select id from {schema}.operation where id = ? and owner = ? and state = 'running' for update),
			added as (
				insert into {schema}.operation_job (operation_id, job_id)
				select own.id, job_id from own cross join unnest(?::bigint[]) as job_id order by job_id
				on conflict do nothing returning job_id)
			update {schema}.operation o
			set selected = coalesce(selected, 0) + (select count(*) from added), cursor = ?, touched_at = clock_timestamp(),
				selected_at = case when ? then clock_timestamp() end
			from own where o.id = own.id""";

	/**
	 * From the position of the operation on, so that no row is read that was deleted. A
	 * range of the primary key: for an equation, the planner expects few rows of a table
	 * that was not analyzed, and would read and sort all of them.
	 */
	private static final String NEXT = """
			select job_id from (
				select operation_id, job_id from {schema}.operation_job where (operation_id, job_id) > (?, ?)
				order by operation_id, job_id limit ?) following
			where operation_id = ? order by job_id""";

	/**
	 * Also of an operation that was stopped while the process was at work on the jobs.
	 */
	private static final String DONE = """
			with gone as (
				delete from {schema}.operation_job where operation_id = ? and job_id = any (?::bigint[]))
			update {schema}.operation
			set jobs = coalesce(jobs, 0) + ?, skipped = coalesce(skipped, 0) + ?, cursor = ?, touched_at = clock_timestamp()
			where id = ? and owner = ?
			returning state = 'running'""";

	private static final String END = """
			update {schema}.operation
			set state = ?, message = ?, ended_at = clock_timestamp(), jobs = coalesce(jobs, 0), cursor = null,
				has_jobs = ? <> 'done'
			where id = ? and owner = ? and state = 'running'""";

	private static final String STOP = """
			update {schema}.operation
			set state = 'stopped', message = 'stopped', ended_at = clock_timestamp(), jobs = coalesce(jobs, 0), cursor = null
			where id = ? and state = 'running'""";

	private static final String REPLACE_FILTER = "update {schema}.operation set filter = ? where id = ?";

	private static final String REMOVE = """
			with gone as (
				delete from {schema}.operation_job where operation_id = ? and job_id = any (array(
					select job_id from {schema}.operation_job where operation_id = ? order by job_id limit %1$s))
				returning job_id)
			update {schema}.operation
			set has_jobs = (select count(*) = %1$s from gone), touched_at = clock_timestamp() where id = ? and owner = ?"""
		.formatted(MAX_REMOVED);

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs each statement in a transaction of its own
	 */
	public BulkStore(QueueDatabase database) {
		this.database = database;
	}

	/** Records an operation that processes carry out; returns its id. */
	long start(BulkOperation request) {
		JobChange change = request.change();
		return this.database
			.query(START, (row, index) -> row.getLong("id"), OperationStore.name(request.who()),
					OperationStore.name(request.via()), OperationStore.name(request.address()), change.kind().label(),
					OperationStore.text(request.reason()), (change.delay() != null) ? change.delay().toString() : null,
					change.priority(), request.filter().query(), request.mostJobs())
			.get(0);
	}

	/** Takes the operation that is next. */
	Optional<Turn> take(UUID owner, Duration silence) {
		return this.database.first(TAKE, (row, index) -> turn(row), owner, owner, Sql.micros(silence));
	}

	/**
	 * Adds jobs to those that an operation has selected.
	 * @param cursor where the selection continues; {@code null}: it is complete
	 */
	void select(long id, UUID owner, List<Long> jobs, @Nullable String cursor) {
		this.database.update(SELECT, id, owner, jobs.toArray(Long[]::new), cursor, cursor == null);
	}

	/**
	 * The next jobs that it is done to.
	 * @param after the job that they follow; 0: none
	 */
	List<Long> next(long id, long after, int limit) {
		return this.database.query(NEXT, (row, index) -> row.getLong("job_id"), id, after, limit, id);
	}

	/**
	 * Records that an operation was done to jobs; returns whether it goes on.
	 * @param after the job that the next ones follow
	 */
	boolean done(long id, UUID owner, List<Long> jobs, int changed, long after) {
		return this.database
			.query(DONE, (row, index) -> row.getBoolean(1), id, jobs.toArray(Long[]::new), changed,
					jobs.size() - changed, String.valueOf(after), id, owner)
			.contains(true);
	}

	/** Records that an operation has ended. */
	void end(long id, UUID owner, String state, String message) {
		this.database.update(END, state, OperationStore.text(message), state, id, owner);
	}

	/** Replaces what is recorded of the filter of an operation. */
	void replaceFilter(long id, String filter) {
		this.database.update(REPLACE_FILTER, filter, id);
	}

	/**
	 * Stops an operation; returns whether it was running. The jobs that it has selected
	 * are removed by the process that would have changed them.
	 */
	boolean stop(long id) {
		return this.database.update(STOP, id) == 1;
	}

	/** Removes some of the selected jobs of an operation that is no longer running. */
	void remove(long id, UUID owner) {
		this.database.update(REMOVE, id, id, id, owner);
	}

	private static Turn turn(ResultSet row) throws SQLException {
		return new Turn(row.getLong("id"), Sql.time(row, "at"), Sql.time(row, "now"), change(row),
				JobFilter.ofQuery(row.getString("filter")), row.getObject("room", Long.class), row.getString("cursor"),
				row.getBoolean("is_selected"), row.getBoolean("is_running"));
	}

	private static JobChange change(ResultSet row) throws SQLException {
		return switch (JobChange.Kind.valueOf(row.getString("action").toUpperCase(Locale.ROOT))) {
			case RETRY -> JobChange.retry();
			case CANCEL -> JobChange.cancel();
			case RESCHEDULE -> JobChange.reschedule(Duration.parse(row.getString("delay")));
			case PRIORITIZE -> JobChange.prioritize(row.getInt("priority"));
			case ERASE -> JobChange.erase();
		};
	}

	/**
	 * An operation that this process carries on with.
	 *
	 * @param id the id of its record
	 * @param startedAt when it was started
	 * @param now the time of the database
	 * @param change what is done
	 * @param filter the jobs that it is done to
	 * @param room how many jobs it may still select; {@code null}: any number
	 * @param cursor where the selection continues, or then the job after which the
	 * changes continue
	 * @param isSelected whether all jobs were selected
	 * @param isRunning whether it was neither stopped nor has failed
	 */
	record Turn(long id, Instant startedAt, Instant now, JobChange change, JobFilter filter, @Nullable Long room,
			@Nullable String cursor, boolean isSelected, boolean isRunning) {

	}

}
