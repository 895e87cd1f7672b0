package io.pgqueue.engine.worker;

import io.pgqueue.JobState;

/**
 * A job that was taken from a dead worker.
 *
 * @param id the job
 * @param type its type
 * @param queue its queue
 * @param state queued again, or failed because the attempt was its last
 * @param workerId the worker that held it
 */
public record RecoveredJob(long id, String type, String queue, JobState state, long workerId) {

}
