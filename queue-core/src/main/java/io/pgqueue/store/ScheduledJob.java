package io.pgqueue.store;

import org.jspecify.annotations.Nullable;

/**
 * What came of a due time.
 *
 * @param schedule the name of the recurring job
 * @param type the type of its jobs
 * @param queue their queue
 * @param jobId the job that was enqueued; {@code null}: the one before it is not over
 */
public record ScheduledJob(String schedule, String type, String queue, @Nullable Long jobId) {

}
