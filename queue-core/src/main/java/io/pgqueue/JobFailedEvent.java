package io.pgqueue;

import org.jspecify.annotations.Nullable;

/**
 * A job failed for good in this process. It is published as a Spring application event by
 * the thread that ran the job, just before that is written down.
 *
 * @param job the attempt
 * @param error what its handler threw, or {@code null}
 * @since 0.1.0
 */
public record JobFailedEvent(JobContext job, @Nullable Throwable error) {

}
