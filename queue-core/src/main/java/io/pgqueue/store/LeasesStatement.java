package io.pgqueue.store;

import java.util.List;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Reads which leases a worker holds according to the database, and drops its claims none
 * of whose jobs it holds any more.
 */
final class LeasesStatement {

	private static final String LEASES = """
			with held as materialized (
				select c.id as claim_id, j.id, j.lease
				from {schema}.claim c cross join lateral unnest(c.job_ids) as claimed (id)
				cross join lateral (
					select id, lease from {schema}.job where id = claimed.id and worker_id = c.worker_id offset 0) j
				where c.worker_id = ?),
			over as (
				delete from {schema}.claim c
				where c.worker_id = ? and not exists (select from held where held.claim_id = c.id))
			select distinct id, lease from held""";

	private final JdbcOperations jdbc;

	private final String leases;

	LeasesStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.leases = Sql.in(schema, LEASES);
	}

	List<Lease> execute(long workerId) {
		return this.jdbc.query(this.leases, (row, index) -> new Lease(row.getLong("id"), row.getInt("lease")), workerId,
				workerId);
	}

}
