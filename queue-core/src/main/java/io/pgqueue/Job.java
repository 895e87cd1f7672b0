package io.pgqueue;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A job as it was when it was read. All times are the database's.
 *
 * @param id the id
 * @param type names the work and with it the handler
 * @param queue the operational group
 * @param state where the job is in its life
 * @param priority a bigger number goes first
 * @param attempt how many attempts have begun
 * @param maxAttempts how many there are at most, by its request or else by the options of
 * its handler in the workers that live; {@code null}: neither is known
 * @param runAt when the job is or was due
 * @param createdAt when it was enqueued
 * @param startedAt when the latest attempt was claimed, or {@code null}
 * @param finishedAt when the job ended, or {@code null}
 * @param uniqueKey the unique key, or {@code null}
 * @param lastError the error of the latest failed attempt, or {@code null}
 * @param payload the payload as JSON; {@code null} if there is none or it is no longer
 * retained
 * @param result what the handler returned, as JSON; {@code null} if the job has not
 * succeeded, its handler returned nothing, or does not
 * {@linkplain JobHandler#keepResult() keep} it
 * @param progress what the handler told last, be it in this attempt or an earlier one, or
 * {@code null}
 * @since 0.1.0
 */
public record Job(long id, String type, String queue, JobState state, int priority, int attempt,
		@Nullable Integer maxAttempts, Instant runAt, Instant createdAt, @Nullable Instant startedAt,
		@Nullable Instant finishedAt, @Nullable String uniqueKey, @Nullable String lastError, @Nullable String payload,
		@Nullable String result, @Nullable JobProgress progress) {

}
