package io.pgqueue;

import org.jspecify.annotations.Nullable;

/**
 * A job failed for good in this process. It is published as a Spring application event
 * when that is committed, by a thread that does nothing else. It is not published for a
 * job whose process dies, nor if this one dies just then.
 *
 * @param job the attempt
 * @param error what its handler threw, or {@code null}
 * @since 0.1.0
 */
public record JobFailedEvent(JobContext job, @Nullable Throwable error) {

}
