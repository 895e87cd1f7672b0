package io.rowqueue;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a job. All times are those of the database's clock.
 *
 * @param id the id
 * @param type the name that connects the job with its handler
 * @param queue the name of the queue
 * @param state the state
 * @param priority the priority; jobs with a higher number start first
 * @param attempt how many attempts have started
 * @param maxAttempts the maximum number of attempts, from the request or else from the
 * handler options of the live workers; {@code null} if neither is known
 * @param runAt when the job is or was due
 * @param createdAt when the job was enqueued
 * @param startedAt when the job was claimed for its latest attempt, or {@code null}
 * @param finishedAt when the job finished, or {@code null}
 * @param uniqueKey the unique key, or {@code null}
 * @param lastError the error of the latest failed attempt, or {@code null}
 * @param payload the payload as JSON; {@code null} if the job has none or it is no longer
 * retained
 * @param result the return value of the handler as JSON; {@code null} if the job has not
 * succeeded, or its handler returned {@code null} or does not
 * {@linkplain JobHandler#keepResult() keep results}
 * @param progress the latest progress that the handler reported, in this attempt or in an
 * earlier one, or {@code null}
 * @since 0.1.0
 */
public record Job(long id, String type, String queue, JobState state, int priority, int attempt,
		@Nullable Integer maxAttempts, Instant runAt, Instant createdAt, @Nullable Instant startedAt,
		@Nullable Instant finishedAt, @Nullable String uniqueKey, @Nullable String lastError, @Nullable String payload,
		@Nullable String result, @Nullable JobProgress progress) {

}
