package io.rowqueue.schedule;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What a backfill has enqueued, or would enqueue.
 *
 * @param dueTimes the number of due times in the range
 * @param jobs the number of jobs that were enqueued or would be; fewer than due times if
 * some have a job already
 * @param first the first due time, or {@code null} if there is none
 * @param last the last due time, or {@code null} if there is none
 * @since 0.1.0
 */
public record Backfill(int dueTimes, int jobs, @Nullable Instant first, @Nullable Instant last) {

}
