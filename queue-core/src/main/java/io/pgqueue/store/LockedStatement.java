package io.pgqueue.store;

import java.util.Collection;
import java.util.List;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/** Finds leased jobs whose rows somebody else has locked. Waits for none of the locks. */
final class LockedStatement {

	private static final String LOCKED = """
			with held as (
				select id from {schema}.job
				where id = any (?) and worker_id = ? and lease = (?::integer[])[array_position(?::bigint[], id)]),
			free as materialized (
				select id from {schema}.job
				where id = any (?) and worker_id = ? and lease = (?::integer[])[array_position(?::bigint[], id)]
				for update skip locked)
			select id from held where not exists (select from free where free.id = held.id)""";

	private final JdbcOperations jdbc;

	private final String locked;

	LockedStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.locked = Sql.in(schema, LOCKED);
	}

	/** Returns the ids of those jobs. */
	List<Long> execute(long workerId, Collection<Lease> leases) {
		return this.jdbc.query(this.locked, (statement) -> {
			Sql.bindLeases(statement, 1, workerId, leases);
			Sql.bindLeases(statement, 5, workerId, leases);
		}, (row, index) -> row.getLong("id"));
	}

}
