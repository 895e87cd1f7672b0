package io.pgqueue.store;

import java.util.Collection;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Shows which leased jobs really run. Written only for jobs that run for a while: most
 * are over before anybody could look.
 */
final class RunningStatement {

	private static final String RUNNING = """
			update {schema}.job set state = 'running'
			where ctid = any (array(
				select ctid from {schema}.job
				where id = any (?) and worker_id = ? and lease = (?::integer[])[array_position(?::bigint[], id)]
				for no key update skip locked))""";

	private final JdbcOperations jdbc;

	private final String running;

	RunningStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.running = Sql.in(schema, RUNNING);
	}

	void execute(long workerId, Collection<Lease> leases) {
		this.jdbc.update(this.running, (statement) -> {
			statement.setArray(1, Sql.ids(statement, leases));
			statement.setLong(2, workerId);
			statement.setArray(3, Sql.tokens(statement, leases));
			statement.setArray(4, Sql.ids(statement, leases));
		});
	}

}
