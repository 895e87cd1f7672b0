package io.pgqueue.admin;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A job in a list.
 *
 * @param id its id
 * @param queue its queue
 * @param type its type
 * @param state the label of its {@link io.pgqueue.JobState}, or {@code stuck} if a worker
 * holds it that no longer lives
 * @param priority a bigger number goes first
 * @param attempt how many attempts have begun
 * @param maxAttempts how many there are at most; {@code null}: its request does not say,
 * and no living worker runs its type
 * @param createdAt when it was enqueued, by the database's clock
 * @param runAt when it is or was due
 * @param startedAt when the latest attempt was claimed, or {@code null}
 * @param finishedAt when it succeeded or was cancelled, or {@code null}
 * @param workerId the worker that holds it or ran it last, or {@code null}
 * @param cancelRequested whether its worker was asked to stop it
 * @param batchId its batch, or {@code null}; not kept when it has finished
 * @param uniqueKey its unique key, or {@code null}
 * @param limitKey its limit key, or {@code null}; not kept when it has finished
 * @param error the first line of the latest error, at most 300 characters, or
 * {@code null}
 */
public record JobView(long id, String queue, String type, String state, int priority, int attempt,
		@Nullable Integer maxAttempts, Instant createdAt, Instant runAt, @Nullable Instant startedAt,
		@Nullable Instant finishedAt, @Nullable Long workerId, boolean cancelRequested, @Nullable Long batchId,
		@Nullable String uniqueKey, @Nullable String limitKey, @Nullable String error) {
}
