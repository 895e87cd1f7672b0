package io.pgqueue.autoconfigure;

import java.time.Duration;

import javax.sql.DataSource;

import io.pgqueue.engine.database.Limits;
import io.pgqueue.schema.SchemaName;

/**
 * Opens pools for those who only look at the queue, so that they never wait for the
 * connections of workers and of the application, nor these for theirs.
 *
 * @since 0.1.0
 */
public final class ReadPools {

	private static final Duration LOCK = Duration.ofSeconds(1);

	private final DataSource application;

	private final SchemaName schema;

	ReadPools(DataSource application, SchemaName schema) {
		this.application = application;
		this.schema = schema;
	}

	/**
	 * Creates a pool that leads where the application's does.
	 * @param name what its sessions call themselves
	 * @param connections how many it has at most
	 * @param timeout how long a statement may take
	 * @return a pool without an open connection
	 */
	public ReadPool create(String name, int connections, Duration timeout) {
		Limits limits = new Limits(timeout, LOCK, timeout.plusSeconds(3));
		return new ReadPool(this.schema, name, connections,
				(pool) -> new QueueAddress(this.application).lead(pool, name, limits));
	}

}
