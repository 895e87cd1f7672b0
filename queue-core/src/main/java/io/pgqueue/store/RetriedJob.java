package io.pgqueue.store;

import io.pgqueue.JobState;

/**
 * A failed job that was brought back.
 *
 * @param queue its queue
 * @param state where it is now: queued, or blocked because it waits for others
 */
public record RetriedJob(String queue, JobState state) {

}
