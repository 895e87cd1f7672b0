package io.pgqueue.store;

import java.util.Optional;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Reads the payload of a leased job whose claim left it in the database, unless it is
 * longer than the caller can take: the size that is stored says nothing of a compressed
 * one.
 */
final class PayloadStatement {

	private static final String PAYLOAD = """
			select bytes, case when bytes <= ? then payload end as payload
			from (
				select payload, octet_length(payload::text) as bytes
				from {schema}.job where id = ? and worker_id = ? and lease = ? offset 0) measured
			where payload is not null""";

	private final JdbcOperations jdbc;

	private final String payload;

	PayloadStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.payload = Sql.in(schema, PAYLOAD);
	}

	/** Returns nothing if the lease was lost. */
	Optional<StoredPayload> execute(long workerId, Lease lease, long mostBytes) {
		return this.jdbc
			.query(this.payload, (row, index) -> new StoredPayload(row.getInt("bytes"), row.getString("payload")),
					mostBytes, lease.jobId(), workerId, lease.token())
			.stream()
			.findFirst();
	}

}
