package io.rowqueue.dashboard.autoconfigure;

import io.rowqueue.autoconfigure.connection.ReadPool;

/**
 * The dashboard's own connections.
 *
 * @param pool opens its first one at the first request that reads
 */
record DashboardConnections(ReadPool pool) implements AutoCloseable {

	@Override
	public void close() {
		this.pool.close();
	}

}
