package io.rowqueue.engine.figures;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;

/**
 * Records which processes ran jobs. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
public final class ProcessStore {

	/**
	 * A process that reports again after it counted as lost has not ended.
	 */
	private static final String REPORT = """
			insert into {schema}.process as p (worker_id, name, version, java, host, succeeded, failed, latest_succeeded,
				latest_failed, latest_seconds, cpu, heap_used, heap_max)
			values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
			on conflict (worker_id) do update set seen_at = clock_timestamp(), ended_at = null, how = null,
				succeeded = p.succeeded + excluded.succeeded, failed = p.failed + excluded.failed,
				latest_succeeded = excluded.latest_succeeded, latest_failed = excluded.latest_failed,
				latest_seconds = excluded.latest_seconds, cpu = excluded.cpu, heap_used = excluded.heap_used,
				heap_max = excluded.heap_max""";

	private static final String STOPPED = """
			update {schema}.process set ended_at = clock_timestamp(), how = 'stopped'
			where worker_id = ? and ended_at is null""";

	/**
	 * The row of a dead worker is kept for a day, and that of one that stopped is not.
	 */
	private static final String REPLACED = """
			update {schema}.process p set ended_at = clock_timestamp(), how = case when exists (
				select from {schema}.worker w where w.id = p.worker_id and w.dead_at is not null) then 'lost' else 'stopped' end
			where p.worker_id = ? and p.ended_at is null""";

	/**
	 * A process that runs jobs reports each minute; a worker that lives is not lost.
	 */
	private static final String LOST = """
			update {schema}.process p set how = 'lost',
				ended_at = greatest(p.seen_at, (select w.dead_at from {schema}.worker w where w.id = p.worker_id))
			where p.ended_at is null and p.seen_at < clock_timestamp() - interval '3 minutes'
				and not exists (select from {schema}.worker w where w.id = p.worker_id and w.dead_at is null)""";

	private static final String DELETE = """
			delete from {schema}.process where worker_id = any (array(
				select worker_id from {schema}.process
				where ended_at < clock_timestamp() - ? * interval '1 microsecond' limit ?))""";

	/**
	 * A worker that was declared dead has ended, also while its process is not marked
	 * yet.
	 */
	private static final String READ = """
			select p.*, coalesce(p.ended_at, w.dead_at) as ended,
				coalesce(p.how, case when w.dead_at is not null then 'lost' end) as ended_how, case when latest_seconds > 0 then latest_succeeded * 60 / latest_seconds else 0 end as succeeded_per_minute,
				case when latest_seconds > 0 then latest_failed * 60 / latest_seconds else 0 end as failed_per_minute
			from {schema}.process p left join {schema}.worker w on w.id = p.worker_id""";

	/** The one before shows whether the first one was a deployment. */
	private static final String DEPLOYMENTS = READ + """
			 where p.worker_id = any (array(
				select worker_id from (
					select worker_id, started_at, version, lag(version) over (order by started_at, worker_id) as before
					from {schema}.process
					where version <> '' and started_at >= coalesce((select max(started_at) from {schema}.process
						where version <> '' and started_at < ?::timestamptz), ?::timestamptz)) started
				where started_at >= ?::timestamptz and version is distinct from before
				order by started_at desc, worker_id desc limit ?))
			order by p.started_at, p.worker_id""";

	private static final String RAN_SINCE = READ
			+ " where p.ended_at is null or p.ended_at >= ?::timestamptz order by p.started_at desc limit ?";

	private static final String FIND = READ + " where p.worker_id = any (?)";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs each statement in a separate transaction
	 */
	public ProcessStore(QueueDatabase database) {
		this.database = database;
	}

	/** Records that a process runs, and what it did since its previous report. */
	void report(long workerId, ProcessInfo info, Counts latest, Duration time, ProcessLoad load) {
		this.database.update(REPORT, workerId, info.name(), info.version(), info.java(), info.host(),
				latest.succeeded(), latest.failures(), latest.succeeded(), latest.failures(), time.toNanos() / 1e9,
				load.cpu(), load.heapUsed(), load.heapMax());
	}

	/** Records that a process has stopped. */
	void stopped(long workerId) {
		this.database.update(STOPPED, workerId);
	}

	/** Records that a process has registered another worker in place of this one. */
	void replaced(long workerId) {
		this.database.update(REPLACED, workerId);
	}

	/** Records which processes have ended without saying so. */
	void markLost() {
		this.database.update(LOST);
	}

	/** Deletes processes that ended this long ago, at most {@code limit}. */
	int delete(Duration age, int limit) {
		return this.database.update(DELETE, Sql.micros(age), limit);
	}

	/**
	 * Returns the processes that started since a time with another version than the one
	 * that started before, in the order in which they started.
	 * @param limit how many of the latest ones to return at most
	 */
	public List<ProcessRecord> deployments(Instant from, int limit) {
		return this.database.query(DEPLOYMENTS, (row, index) -> process(row), from.toString(), from.toString(),
				from.toString(), limit);
	}

	/** Returns the processes that ran at some time since a time, the latest first. */
	public List<ProcessRecord> ranSince(Instant from, int limit) {
		return this.database.query(RAN_SINCE, (row, index) -> process(row), from.toString(), limit);
	}

	/** Returns the processes of workers. */
	public List<ProcessRecord> find(List<Long> workers) {
		return this.database.query(FIND,
				(statement) -> statement.setArray(1, Sql.array(statement, "bigint", workers, (id) -> id)),
				(row, index) -> process(row));
	}

	private static ProcessRecord process(ResultSet row) throws SQLException {
		return new ProcessRecord(row.getLong("worker_id"),
				new ProcessInfo(Objects.requireNonNull(row.getString("name")),
						Objects.requireNonNull(row.getString("version")), Objects.requireNonNull(row.getString("java")),
						Objects.requireNonNull(row.getString("host"))),
				Sql.time(row, "started_at"), Sql.instant(row, "ended"), row.getString("ended_how"),
				row.getLong("succeeded"), row.getLong("failed"), row.getDouble("succeeded_per_minute"),
				row.getDouble("failed_per_minute"),
				new ProcessLoad(row.getDouble("cpu"), row.getLong("heap_used"), row.getLong("heap_max")),
				Sql.time(row, "seen_at"));
	}

}
