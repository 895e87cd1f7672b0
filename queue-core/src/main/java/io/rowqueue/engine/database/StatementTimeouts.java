package io.rowqueue.engine.database;

import java.time.Duration;

/**
 * The timeouts for statements of workers, so that neither a server that does not respond
 * nor a lock of another session blocks a worker.
 *
 * @param statement how long the server may execute a statement
 * @param lock how long a statement may wait for a lock
 * @param socket how long the client waits for data from the server
 */
public record StatementTimeouts(Duration statement, Duration lock, Duration socket) {

	/** The default timeouts, all of which are shorter than the default lease. */
	public static final StatementTimeouts DEFAULT = new StatementTimeouts(Duration.ofSeconds(20), Duration.ofSeconds(5),
			Duration.ofSeconds(25));

}
