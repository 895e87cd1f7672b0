package io.pgqueue.postgres;

import java.time.Duration;

/**
 * How long a server that nobody uses stays.
 *
 * @param beforeFirst time that the first client has to connect
 * @param afterLast time after the last client left
 */
record Linger(Duration beforeFirst, Duration afterLast) {

	static final Linger DEFAULT = new Linger(Duration.ofMinutes(2), Duration.ofMinutes(1));

}
