package io.rowqueue.engine.measure;

import java.util.List;

import io.rowqueue.engine.database.QueueDatabase;
import org.jspecify.annotations.Nullable;

/**
 * Reads and removes dead rows of the table of jobs. All methods throw
 * {@link org.springframework.dao.DataAccessException} if the database rejects a statement
 * or is not available.
 */
public final class HorizonStore {

	/**
	 * The transactions and slots that hold back the xmin horizon, as far as all roles may
	 * see them. Sessions in other databases do not affect the tables of this one;
	 * replication and prepared transactions do. An index that is being built is done
	 * sooner than anybody could act. The times of other roles' sessions require
	 * {@code pg_read_all_stats}.
	 */
	static final String PINS = """
			select case when backend_type = 'walsender' then 'standby' else 'session' end as kind,
				'process ' || pid || coalesce(' (' || nullif(application_name, '') || ')', '') as who,
				greatest(age(backend_xmin), age(backend_xid))::bigint as age,
				extract(epoch from clock_timestamp() - xact_start)::float8 as seconds
			from pg_stat_activity
			where (backend_xmin is not null or backend_xid is not null) and pid <> pg_backend_pid() and backend_type <> 'autovacuum worker'
				and (datname = current_database() or backend_type = 'walsender')
				and pid not in (select b.pid from pg_stat_progress_create_index b join pg_class t on t.oid = b.relid
					where b.datname = current_database() and t.relnamespace = '{schema}'::regnamespace)
			union all
			select 'prepared transaction', gid, age(transaction)::bigint,
				extract(epoch from clock_timestamp() - prepared)::float8
			from pg_prepared_xacts where database = current_database()
			union all
			select 'replication slot', slot_name::text, age(xmin)::bigint, null
			from pg_replication_slots where xmin is not null""";

	/**
	 * Snapshots that were taken while the same transaction ran are of the same age.
	 */
	static final String OLDEST_FIRST = " order by age desc nulls last, seconds desc nulls last limit ";

	private static final String OLDEST_PINS = "select * from (" + PINS + ") pin" + OLDEST_FIRST + "10";

	private static final String DEAD_ROWS = """
			select n_dead_tup from pg_stat_all_tables where relid = '{schema}.job'::regclass""";

	/**
	 * It does not wait for locks, and does not truncate the table, which would block
	 * others.
	 */
	private static final String VACUUM = """
			vacuum (skip_locked, truncate off) {schema}.job""";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs each statement in a separate transaction
	 */
	public HorizonStore(QueueDatabase database) {
		this.database = database;
	}

	/** Returns what prevents the removal of dead rows, the oldest first. */
	public List<HorizonPin> pins() {
		return this.database.query(OLDEST_PINS, (row, index) -> {
			double seconds = row.getDouble("seconds");
			@Nullable Double open = row.wasNull() ? null : Double.valueOf(seconds);
			return new HorizonPin(row.getString("kind"), row.getString("who"), row.getLong("age"), open);
		});
	}

	/** Returns the server's estimate of the number of dead rows in the table of jobs. */
	public long deadRows() {
		return this.database.query(DEAD_ROWS, (row, index) -> row.getLong(1)).get(0);
	}

	/**
	 * Removes dead rows. If the role does not own the table, the server sends a warning
	 * and does nothing.
	 */
	public void vacuum() {
		this.database.jdbc().execute(this.database.sql(VACUUM));
	}

}
