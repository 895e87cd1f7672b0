package io.pgqueue.admin;

import java.time.Instant;

/**
 * A step of a job that is done.
 *
 * @param name its name
 * @param lease the lease under which it was done: a bigger number is a later attempt
 * @param finishedAt when it was recorded, by the database's clock
 */
public record RecordedStep(String name, int lease, Instant finishedAt) {

}
