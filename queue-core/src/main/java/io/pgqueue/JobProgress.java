package io.pgqueue;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How far a job is, as its handler has told by {@link JobContext#progress}.
 *
 * @param done how much is done, in the handler's own unit
 * @param total how much there is to do; 0: not known
 * @param message for people, or {@code null}
 * @param at when it was written down, by the database's clock: up to about a second after
 * the handler told
 * @since 0.1.0
 */
public record JobProgress(long done, long total, @Nullable String message, Instant at) {

}
