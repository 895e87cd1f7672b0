package io.pgqueue.store;

import java.util.List;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/** Reads which leases a worker holds according to the database. */
final class LeasesStatement {

	private static final String LEASES = """
			select id, lease from {schema}.job where worker_id = ?""";

	private final JdbcOperations jdbc;

	private final String leases;

	LeasesStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.leases = Sql.in(schema, LEASES);
	}

	List<Lease> execute(long workerId) {
		return this.jdbc.query(this.leases, (row, index) -> new Lease(row.getLong("id"), row.getInt("lease")),
				workerId);
	}

}
