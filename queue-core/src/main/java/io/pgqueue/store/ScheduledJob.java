package io.pgqueue.store;

import org.jspecify.annotations.Nullable;

/**
 * What came of a recurring job that was due.
 *
 * @param schedule the name of the recurring job
 * @param type the type of its jobs
 * @param queue their queue
 * @param limited whether they have a limit key
 * @param jobId the job that was enqueued; {@code null}: none
 * @param held whether that is because the one before it is not over
 */
public record ScheduledJob(String schedule, String type, String queue, boolean limited, @Nullable Long jobId,
		boolean held) {

}
