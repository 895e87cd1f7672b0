package io.pgqueue.store;

import io.pgqueue.JobState;

/**
 * A failed job that was brought back.
 *
 * @param queue its queue
 * @param state where it is now: queued, scheduled if the limit of its key has to admit it
 * first, or blocked because it waits for others
 */
public record RetriedJob(String queue, JobState state) {

}
