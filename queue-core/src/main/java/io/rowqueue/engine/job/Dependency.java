package io.rowqueue.engine.job;

import io.rowqueue.flow.WhenFailed;

/**
 * The dependency of a job on another one.
 *
 * @param predecessorId the id of the job that runs first
 * @param successorId the id of the job that waits for it
 * @param whenFailed what happens to the successor if the predecessor does not succeed
 */
record Dependency(long predecessorId, long successorId, WhenFailed whenFailed) {

}
