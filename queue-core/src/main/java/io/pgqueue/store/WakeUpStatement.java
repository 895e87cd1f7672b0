package io.pgqueue.store;

import java.util.Collection;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/** Sends one notification a queue, in a transaction that does nothing else. */
final class WakeUpStatement {

	private static final String NOTIFY = """
			select pg_notify(?, queue) from unnest(?::text[]) as queue""";

	private final JdbcOperations jdbc;

	private final String channel;

	WakeUpStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.channel = channel(schema);
	}

	/** The channel of a schema; PostgreSQL takes at most 63 bytes. */
	static String channel(SchemaName schema) {
		return "pgqueue_" + Integer.toHexString(schema.value().hashCode());
	}

	void execute(Collection<String> queues) {
		this.jdbc.query(NOTIFY, (statement) -> {
			statement.setString(1, this.channel);
			statement.setArray(2, Sql.array(statement, "text", queues, (queue) -> queue));
		}, (row) -> {
		});
	}

}
