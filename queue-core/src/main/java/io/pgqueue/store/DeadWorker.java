package io.pgqueue.store;

import java.time.Duration;

/**
 * A worker that was given up.
 *
 * @param id its id
 * @param name what it said of itself
 * @param silence how long it had not been heard of
 */
public record DeadWorker(long id, String name, Duration silence) {

}
