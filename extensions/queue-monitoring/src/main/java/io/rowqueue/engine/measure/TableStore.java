package io.rowqueue.engine.measure;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

import io.rowqueue.engine.database.QueueDatabase;
import io.rowqueue.engine.database.Sql;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the server knows of the queue's tables and of waiting sessions. All methods
 * throw {@link org.springframework.dao.DataAccessException} if the database rejects a
 * statement or is not available.
 */
public final class TableStore {

	private static final int MAX_WAITS = 20;

	private static final String SIZES = """
			select coalesce(parent.relname, s.relname) as name, sum(s.n_live_tup) as live, sum(s.n_dead_tup) as dead,
				sum(pg_total_relation_size(s.relid)) as bytes, max(greatest(s.last_vacuum, s.last_autovacuum)) as vacuumed_at
			from pg_stat_all_tables s
			left join pg_inherits i on i.inhrelid = s.relid left join pg_class parent on parent.oid = i.inhparent
			where s.schemaname = ?
			group by 1 order by bytes desc, name""";

	/**
	 * Only sessions of this database; the texts of their statements are not read. All
	 * roles may read which locks are awaited, also by the sessions of others.
	 */
	private static final String WAITS = """
			select l.pid, coalesce(a.application_name, '') as application, l.locktype as lock, l.waitstart,
				pg_blocking_pids(l.pid) as blockers
			from pg_locks l join pg_stat_activity a on a.pid = l.pid and a.datname = current_database()
			where not l.granted order by l.waitstart limit %s""".formatted(MAX_WAITS);

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs each statement in a separate transaction
	 */
	public TableStore(QueueDatabase database) {
		this.database = database;
	}

	/** Returns all tables of the queue, the largest first. */
	public List<TableSize> sizes() {
		return this.database.query(SIZES,
				(row, index) -> new TableSize(Objects.requireNonNull(row.getString("name")), row.getLong("live"),
						row.getLong("dead"), row.getLong("bytes"), Sql.instant(row, "vacuumed_at")),
				this.database.schema().value());
	}

	/** Returns sessions that wait for locks, those that wait longest first. */
	public List<LockWait> waits() {
		return this.database.query(WAITS,
				(row, index) -> new LockWait(row.getInt("pid"), Objects.requireNonNull(row.getString("application")),
						Objects.requireNonNull(row.getString("lock")), Sql.instant(row, "waitstart"),
						List.of((Integer[]) row.getArray("blockers").getArray())));
	}

	/**
	 * A session that waits for a lock of another one.
	 *
	 * @param pid its process
	 * @param application what it calls itself
	 * @param lock what it waits for, such as {@code transactionid} or {@code relation}
	 * @param since when it began to wait, or {@code null} for a moment after that
	 * @param blockedBy the processes that it waits for
	 */
	public record LockWait(int pid, String application, String lock, @Nullable Instant since, List<Integer> blockedBy) {

	}

	/**
	 * A table of the queue.
	 *
	 * @param name its name; that of a partitioned table stands for all partitions
	 * @param liveRows the server's estimate of its rows
	 * @param deadRows the server's estimate of its dead rows
	 * @param bytes its size with indexes
	 * @param lastVacuumAt when it was vacuumed last, or {@code null}
	 */
	public record TableSize(String name, long liveRows, long deadRows, long bytes, @Nullable Instant lastVacuumAt) {

	}

}
