package io.pgqueue.engine.measure;

import java.util.List;

import io.pgqueue.engine.database.QueueDatabase;
import org.jspecify.annotations.Nullable;

/**
 * Looks after dead rows of the table of jobs. All methods throw
 * {@link org.springframework.dao.DataAccessException} when the database refuses or is
 * away.
 */
public final class HorizonStore {

	/**
	 * Who pins the xmin horizon, as far as any role may see it. Sessions in other
	 * databases do not matter to the tables of this one; what is replicated or prepared
	 * does. The times of other roles' sessions need {@code pg_read_all_stats}.
	 */
	static final String PINS = """
			select case when backend_type = 'walsender' then 'standby' else 'session' end as kind,
				'process ' || pid || coalesce(' (' || nullif(application_name, '') || ')', '') as who,
				greatest(age(backend_xmin), age(backend_xid))::bigint as age,
				extract(epoch from clock_timestamp() - xact_start)::float8 as seconds
			from pg_stat_activity
			where (backend_xmin is not null or backend_xid is not null) and pid <> pg_backend_pid() and backend_type <> 'autovacuum worker'
				and (datname = current_database() or backend_type = 'walsender')
			union all
			select 'prepared transaction', gid, age(transaction)::bigint,
				extract(epoch from clock_timestamp() - prepared)::float8
			from pg_prepared_xacts where database = current_database()
			union all
			select 'replication slot', slot_name::text, age(xmin)::bigint, null
			from pg_replication_slots where xmin is not null""";

	private static final String OLDEST_PINS = "select * from (" + PINS + ") pin order by age desc nulls last limit 10";

	private static final String DEAD_ROWS = """
			select n_dead_tup from pg_stat_all_tables where relid = '{schema}.job'::regclass""";

	/**
	 * Nobody is waited for, and nothing is cut off that others would have to wait for.
	 */
	private static final String VACUUM = """
			vacuum (skip_locked, truncate off) {schema}.job""";

	private final QueueDatabase database;

	/**
	 * Creates the store.
	 * @param database runs each statement in a transaction of its own
	 */
	public HorizonStore(QueueDatabase database) {
		this.database = database;
	}

	/** Who keeps dead rows from being removed, whoever began first. */
	public List<HorizonPin> pins() {
		return this.database.query(OLDEST_PINS, (row, index) -> {
			double seconds = row.getDouble("seconds");
			@Nullable Double open = row.wasNull() ? null : Double.valueOf(seconds);
			return new HorizonPin(row.getString("kind"), row.getString("who"), row.getLong("age"), open);
		});
	}

	/** How many rows of the table of jobs are dead, as the server estimates. */
	public long deadRows() {
		return this.database.query(DEAD_ROWS, (row, index) -> row.getLong(1)).get(0);
	}

	/**
	 * Removes dead rows. A role that does not own the table is told by a warning of the
	 * server only, and nothing is done.
	 */
	public void vacuum() {
		this.database.jdbc().execute(this.database.sql(VACUUM));
	}

}
