package io.pgqueue.store;

import java.time.Instant;

/**
 * A batch that nobody has closed.
 *
 * @param id its id
 * @param name its name
 * @param createdAt when it was enqueued
 */
public record OpenBatch(long id, String name, Instant createdAt) {

}
