package io.pgqueue.store;

import java.util.Collection;
import java.util.List;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/** Hands leased jobs back to the queue; the attempt does not count. */
final class ReleaseStatement {

	private static final String RELEASE = """
			update {schema}.job
			set state = 'queued', attempt = attempt - 1, worker_id = null
			where {briefly} and id = any (?) and worker_id = ? and lease = (?::integer[])[array_position(?::bigint[], id)]
			returning id""";

	private final JdbcOperations jdbc;

	private final String release;

	ReleaseStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.release = Sql.in(schema, RELEASE);
	}

	/** Returns the ids of the jobs that were handed back; any other lease was lost. */
	List<Long> execute(long workerId, Collection<Lease> leases) {
		return this.jdbc.query(this.release, (statement) -> Sql.bindLeases(statement, 1, workerId, leases),
				(row, index) -> row.getLong("id"));
	}

}
