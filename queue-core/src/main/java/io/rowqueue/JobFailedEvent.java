package io.rowqueue;

import org.jspecify.annotations.Nullable;

/**
 * Application event: a job that this process ran has failed permanently. It is published
 * by a dedicated thread after the failure was committed. It is not published for a job
 * whose process died or whose predecessor failed, nor if this process dies before the
 * publication. It therefore suits logs and notifications; {@link JobRequest#onFailure}
 * enqueues a job in the transaction that ends the failed one.
 *
 * @param job the context of the failed attempt
 * @param error what the handler threw, or {@code null} if that is not known
 * @since 0.1.0
 */
public record JobFailedEvent(JobContext job, @Nullable Throwable error) {

}
