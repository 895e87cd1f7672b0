package io.rowqueue.autoconfigure.connection;

import java.time.Duration;

import javax.sql.DataSource;

import io.rowqueue.autoconfigure.ConnectionProperties;
import io.rowqueue.engine.database.StatementTimeouts;
import io.rowqueue.schema.SchemaName;

/**
 * Creates pools of connections that only read, such as the dashboard's. Their users and
 * the workers never wait for each other's connections.
 *
 * @since 0.1.0
 */
public final class ReadPools {

	private static final Duration LOCK = Duration.ofSeconds(1);

	private final DataSource application;

	private final ConnectionProperties connection;

	private final SchemaName schema;

	ReadPools(DataSource application, ConnectionProperties connection, SchemaName schema) {
		this.application = application;
		this.connection = connection;
		this.schema = schema;
	}

	/**
	 * Creates a pool with the address of the application's pool.
	 * @param name the application name of its sessions
	 * @param connections the maximum number of connections
	 * @param timeout the timeout of a statement
	 * @return a pool without an open connection
	 */
	public ReadPool create(String name, int connections, Duration timeout) {
		StatementTimeouts timeouts = new StatementTimeouts(timeout, LOCK, timeout.plusSeconds(3));
		return new ReadPool(this.schema, name, connections, timeout,
				(pool) -> new QueueAddress(this.application, this.connection).lead(pool, name, timeouts));
	}

}
