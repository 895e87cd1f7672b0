package io.pgqueue.store;

import java.util.Optional;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/** Reads the payload of a leased job whose claim left it in the database. */
final class PayloadStatement {

	private static final String PAYLOAD = """
			select payload from {schema}.job where id = ? and worker_id = ? and lease = ?""";

	private final JdbcOperations jdbc;

	private final String payload;

	PayloadStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.payload = Sql.in(schema, PAYLOAD);
	}

	/** Returns nothing if the lease was lost. */
	Optional<String> execute(long workerId, Lease lease) {
		return this.jdbc
			.query(this.payload, (row, index) -> Optional.ofNullable(row.getString(1)), lease.jobId(), workerId,
					lease.token())
			.stream()
			.findFirst()
			.flatMap((found) -> found);
	}

}
