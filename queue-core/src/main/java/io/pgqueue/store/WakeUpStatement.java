package io.pgqueue.store;

import java.util.Collection;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Sends one notification a queue, in a transaction that does nothing else. It does not
 * wait for the log, nor for standbys: a crash of the server takes those away who listen,
 * and with them what they have not heard.
 */
final class WakeUpStatement {

	private static final String NOTIFY = """
			select pg_notify({schema}.wake_up_channel(), queue), set_config('synchronous_commit', 'off', true)
			from unnest(?::text[]) as queue""";

	private final JdbcOperations jdbc;

	private final String notify;

	WakeUpStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.notify = Sql.in(schema, NOTIFY);
	}

	void execute(Collection<String> queues) {
		this.jdbc.query(this.notify, (statement) -> {
			statement.setArray(1, Sql.array(statement, "text", queues, (queue) -> queue));
		}, (row) -> {
		});
	}

}
