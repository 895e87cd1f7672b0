package io.pgqueue.engine.job;

import io.pgqueue.flow.WhenFailed;

/**
 * That a job is to run after another one.
 *
 * @param predecessorId the job that runs first
 * @param successorId the job that waits for it
 * @param whenFailed what becomes of that one if the first does not succeed
 */
record Dependency(long predecessorId, long successorId, WhenFailed whenFailed) {

}
