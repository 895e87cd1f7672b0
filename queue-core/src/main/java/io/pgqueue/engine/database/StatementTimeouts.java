package io.pgqueue.engine.database;

import java.time.Duration;

/**
 * How long a statement of a worker may take, so that neither a hung server nor a lock
 * held elsewhere freezes it.
 *
 * @param statement how long the server works on a statement
 * @param lock how long a statement waits for a lock
 * @param socket how long the client waits for the server to say anything
 */
public record StatementTimeouts(Duration statement, Duration lock, Duration socket) {

	/** All are shorter than the default lease. */
	public static final StatementTimeouts DEFAULT = new StatementTimeouts(Duration.ofSeconds(20), Duration.ofSeconds(5),
			Duration.ofSeconds(25));

}
