package io.pgqueue.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;

import io.pgqueue.schema.SchemaName;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Sends one notification a queue, in a transaction that does nothing else. It does not
 * wait for the log, nor for standbys: a crash of the server takes those away who listen,
 * and with them what they have not heard.
 */
final class WakeUpStatement {

	private static final String NOTIFY = """
			select pg_notify(?, queue), set_config('synchronous_commit', 'off', true)
			from unnest(?::text[]) as queue""";

	private final JdbcOperations jdbc;

	private final String channel;

	WakeUpStatement(JdbcOperations jdbc, SchemaName schema) {
		this.jdbc = jdbc;
		this.channel = channel(schema);
	}

	/**
	 * The channel of a schema; PostgreSQL takes at most 63 bytes. The function
	 * {@code wake_up_channel} of the schema returns the same.
	 */
	static String channel(SchemaName schema) {
		try {
			byte[] hash = MessageDigest.getInstance("SHA-256").digest(schema.value().getBytes(StandardCharsets.UTF_8));
			return "pgqueue_" + HexFormat.of().formatHex(hash, 0, 8);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

	/** The channel on which a worker hears itself and nobody else. */
	static String echoChannel(SchemaName schema, long workerId) {
		return channel(schema) + "_" + workerId;
	}

	void execute(Collection<String> queues) {
		this.jdbc.query(NOTIFY, (statement) -> {
			statement.setString(1, this.channel);
			statement.setArray(2, Sql.array(statement, "text", queues, (queue) -> queue));
		}, (row) -> {
		});
	}

}
