package io.rowqueue.engine.figures;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A job that failed with the error of a group.
 *
 * @param id the job
 * @param queue its queue, or {@code null} if it is no longer kept
 * @param state its state now, or {@code null} if it is no longer kept
 * @param attempt the attempt that failed
 * @param failedAt when that failed
 */
public record ErrorGroupJob(long id, @Nullable String queue, @Nullable String state, int attempt, Instant failedAt) {

}
