package io.pgqueue.store;

/** Finds who pins the xmin horizon, as far as any role may see it. */
final class HorizonStatement {

	/**
	 * Sessions in other databases do not matter to the tables of this one; what is
	 * replicated or prepared does. The times of other roles' sessions need
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
			union all
			select 'prepared transaction', gid, age(transaction)::bigint,
				extract(epoch from clock_timestamp() - prepared)::float8
			from pg_prepared_xacts where database = current_database()
			union all
			select 'replication slot', slot_name::text, age(xmin)::bigint, null
			from pg_replication_slots where xmin is not null""";

	private HorizonStatement() {
	}

}
