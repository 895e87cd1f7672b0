package io.rowqueue.engine.worker;

import io.rowqueue.JobState;

/**
 * A job that was taken from a dead worker.
 *
 * @param id the job
 * @param type its type
 * @param queue its queue
 * @param state queued again, scheduled after a pause, or failed because the attempt was
 * its last, or its process was the last that it may bring down
 * @param workerId the worker that held it
 * @param error that its worker died
 */
public record RecoveredJob(long id, String type, String queue, JobState state, long workerId, String error) {

}
