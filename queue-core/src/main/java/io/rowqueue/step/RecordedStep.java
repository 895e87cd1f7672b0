package io.rowqueue.step;

import java.time.Instant;

/**
 * A recorded step of a job.
 *
 * @param name the name of the step
 * @param lease the lease token of the attempt that has recorded it; later attempts have
 * higher tokens
 * @param finishedAt when it was recorded, by the database's clock
 */
public record RecordedStep(String name, int lease, Instant finishedAt) {

}
