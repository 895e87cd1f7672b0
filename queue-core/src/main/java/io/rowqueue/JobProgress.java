package io.rowqueue;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The progress of a job, as reported with {@link JobContext#progress}.
 *
 * @param done how much is done, in a unit that the handler chooses
 * @param total how much there is to do, in the same unit; 0 if unknown
 * @param message a text for people, or {@code null}
 * @param at when the worker wrote the progress, by the database's clock: up to about a
 * second after the handler reported it
 * @since 0.1.0
 */
public record JobProgress(long done, long total, @Nullable String message, Instant at) {

}
